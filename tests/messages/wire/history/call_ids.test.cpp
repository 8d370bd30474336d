#include "messages/wire/history/call_ids.hpp"

#include <set>
#include <string>

#include "tests/support/catch.hpp"

namespace call_ids_test {

using namespace troupe;

namespace {

constexpr call_id_rule usual{};
constexpr call_id_rule nine{.dashes = false, .exact_bytes = 9};

} // namespace

TEST_CASE("an id that the rule takes is sent as it is", "[messages][call_ids]") {
  for (std::string id : {std::string{"call_1"}, std::string{"toolu_01-A"}, std::string(64, 'x')})
    CHECK(call_id_for(id, usual) == id);
  CHECK(call_id_for("abcDEF123", nine) == "abcDEF123");
}

TEST_CASE("where any characters are taken only the length counts", "[messages][call_ids]") {
  constexpr call_id_rule any{.max_bytes = 40, .any_characters = true};
  for (std::string id : {"call 1", "\xC3\xA4", "functions.f:0"})
    CHECK(call_id_for(id, any) == id);
  const auto made = call_id_for("functions.f:0" + std::string(40, 'x'), any);
  CHECK(made == call_id_for("functions.f:0" + std::string(40, 'x'), {.max_bytes = 40}));
  CHECK(made.size() <= 40);
}

TEST_CASE("any other id becomes one that the rule takes, the same every time",
          "[messages][call_ids]") {
  const std::set<std::string> ids{"",       std::string(65, 'x'), std::string(65, 'y'),    "call.1",
                                  "call 1", "\xC3\xA4",           std::string(16384, 'q'), "a/b",
                                  "a:b",    "call_\x01"};
  for (const auto& rule : {usual, nine}) {
    std::set<std::string> made;
    for (const auto& id : ids) {
      const auto sent = call_id_for(id, rule);
      CHECK(sent == call_id_for(id, rule));
      CHECK(call_id_for(sent, rule) == sent);
      CHECK(sent.size() <= rule.max_bytes);
      CHECK((rule.exact_bytes == 0 || sent.size() == rule.exact_bytes));
      CHECK(sent.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   "_-") == std::string::npos);
      made.insert(sent);
    }
    CHECK(made.size() == ids.size());
  }
}

} // namespace call_ids_test
