// What an MCP server asks of the client of a chat is for the chat's owner alone.
#include "messages/chat/session_id.hpp"
#include "tests/actors/mcp_hub/asking_server.hpp"

namespace mcp_hub_owners_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE_METHOD(asking, "only the owner of a chat can answer what it is asked",
                 "[actors][mcp_hub]") {
  heard got;
  watched watching;
  open_one();
  watcher(watching, {.answers = true});
  call_as(caller(got), "a", scoped_id("alice", "c"), true);
  elicit(7);
  REQUIRE(got.asks.size() == 1);
  const auto& id = got.asks[0].request_id;
  for (const auto& foreign : {id, scoped_id("bob", id)}) {
    const auto refused = answer(foreign, "accept", R"({"name":"Ada"})");
    CHECK(refused.code == errc::not_found);
    CHECK(refused.text() == answer(scoped_id("bob", "ask_none"), "decline")
                                .text()
                                .replace(12, 8, id)); // as for one that nobody asked
  }
  CHECK(answered(7).empty());
  CHECK_FALSE(answer(scoped_id("alice", id), "decline"));
  CHECK(answered(7) == declined);
  CHECK(watching.last("clientRequestOver").data.text ==
        R"({"requestId":")" + id + R"(","sessionId":"alice\u001fc"})");
}

TEST_CASE_METHOD(asking, "what is asked without a chat is no owner's", "[actors][mcp_hub]") {
  watched watching;
  open_one();
  watcher(watching, {.answers = true});
  elicit(7);
  REQUIRE(watching.count("clientRequest") == 1);
  auto text = watching.last("clientRequest").data.text;
  auto from = text.find("ask_");
  auto id = text.substr(from, text.find('"', from) - from);
  CHECK(answer(scoped_id("bob", id), "decline").code == errc::not_found);
  CHECK_FALSE(answer(id, "decline"));
  CHECK(answered(7) == declined);
}

} // namespace mcp_hub_owners_test
