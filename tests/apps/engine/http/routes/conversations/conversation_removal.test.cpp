// DELETE /v1/conversations: many at once, and who is spared.
#include "tests/apps/engine/http/routes/conversations/conversation_routes_fixture.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/store_asks.hpp"

namespace conversation_removal_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE_METHOD(conversation_routes_fixture,
                 "a chat that was gone on with since it was listed is spared by day, not by name",
                 "[apps][conversations]") {
  const auto keep = [this](const std::string& id, const std::string& text) {
    store.put(id, {said(role::user, text, "u1")});
  };
  keep("old", "hello");
  keep("busy", "hello");
  ending = [&] {
    if (log.back() == "abort old") // it is removed first, when both are listed
      keep("busy", "hello again");
  };
  SECTION("spared by day") {
    CHECK(fetch("DELETE", "/v1/conversations?before=2999-01-01")->body ==
          R"({"matched":2,"deleted":1})");
    CHECK(fetch("GET", "/v1/conversations/busy")->says("hello again"));
  }
  SECTION("removed by name") {
    CHECK(fetch("DELETE", "/v1/conversations?id=*")->body == R"({"matched":2,"deleted":2})");
    CHECK(fetch("GET", "/v1/conversations/busy")->status == 404);
  }
  CHECK(fetch("GET", "/v1/conversations/old")->status == 404);
}

} // namespace conversation_removal_test
