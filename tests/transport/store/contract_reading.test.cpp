// Chats that are read piece by piece while others write.
#include "tests/transport/store/long_chats.hpp"
#include "tests/transport/store/store_kinds.hpp"

namespace contract_reading_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Returns all that a record says, but its number.
std::string text_of(const chat_record& of) {
  auto out = of.session_id + ' ' + of.error.text() + ' ' + std::to_string(of.version) + ' ' +
             of.kept_turn + ' ' + to_json(of.history) + to_json(of.overrides) +
             to_json(of.last_turn);
  for (const auto& each : of.events)
    out += ' ' + each.turn_id + ' ' + std::to_string(each.first_seq) + ' ' +
           std::get<text_delta>(each.events.at(0)).text;
  return out;
}

/// Reads a chat whole.
std::string whole(store_connection& store, const std::string& id) {
  return text_of(store.load({id}));
}

} // namespace

TEST_CASE("a reading has what a load has", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  save(store, long_chat("a"));
  save(store, saving("b", {said(role::user, "hi")}));
  change_conversation overrides;
  overrides.verb = conversation_verb::override;
  overrides.session_id = "a";
  overrides.overrides.model = "other";
  REQUIRE_FALSE(store.change(overrides).error);
  const auto got = finish(*reading_of(*tested->port, "a"));
  CHECK(text_of(got) == whole(store, "a"));
  CHECK(got.events.size() == 1);
  CHECK(got.number == 5);
  CHECK(text_of(finish(*reading_of(*tested->port, "b"))) == whole(store, "b"));
  const auto none = finish(*reading_of(*tested->port, "nobody"));
  CHECK(none.version == 0);
  CHECK(none.number == 5);
  CHECK_FALSE(none.error);
}

TEST_CASE("a reading sees one state, whatever is written between its pieces",
          "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  save(store, long_chat("a"));
  const auto before = whole(store, "a");
  auto reading = reading_of(*tested->port, "a");
  chat_record out;
  REQUIRE(reading->step(out));
  SECTION("messages that are added") {
    save(store, saving("a", {said(role::user, "later")}, many));
  }
  SECTION("messages that are cut off and replaced") {
    save(store, saving("a", std::vector(many, said(role::user, "other")), 1));
    for (bool more = true; more;)
      REQUIRE_FALSE(store.tidy(more));
  }
  SECTION("a removal") {
    change_conversation removal;
    removal.verb = conversation_verb::remove;
    removal.session_id = "a";
    REQUIRE_FALSE(store.change(removal).error);
    for (bool more = true; more;)
      REQUIRE_FALSE(store.tidy(more));
  }
  CHECK(text_of(finish(*reading)) == before);
  CHECK(text_of(finish(*reading_of(*tested->port, "a"))) == whole(store, "a"));
}

TEST_CASE("readings of several chats do not disturb each other", "[transport][store_contract]") {
  TROUPE_EACH_DATABASE;
  std::vector<std::unique_ptr<chat_reading>> readings;
  chat_record out;
  for (const auto* id : {"a", "b", "c", "d", "e"}) {
    save(store, long_chat(id, many + readings.size()));
    readings.push_back(reading_of(*tested->port, id));
    REQUIRE(readings.back()->step(out));
  }
  readings.erase(readings.begin()); // one that is given up
  for (size_t i = 0; i < readings.size(); ++i)
    CHECK(finish(*readings[i]).history.size() == many + i + 1);
}

} // namespace contract_reading_test
