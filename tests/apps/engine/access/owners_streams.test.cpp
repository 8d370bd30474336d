// What is an owner's own on connections that stay: WebSockets and streams of events.
#include "apps/engine/http/routes/mcp/mcp_event_stream.hpp"
#include "tests/apps/engine/access/owner_fixture.hpp"
#include "tests/support/catch.hpp"

namespace owners_streams_test {

using namespace troupe;
using namespace troupe::test;

namespace {

bool holds(std::string_view text, std::string_view what) {
  return text.find(what) != text.npos;
}

} // namespace

TEST_CASE("every message of a WebSocket is about its owner's chats", "[apps][owners]") {
  owner_fixture world;
  auto& answer = world.request(world.bob.key, "GET", "/v1/ws");
  REQUIRE(answer.socket != nullptr);
  auto says = [&](const std::string& text) {
    world.heard();
    answer.socket->tell({websocket_inbound::kind::text, text, 0});
    world.run();
    return world.heard();
  };
  for (const std::string what :
       {R"({"type":"start","session":"c","message":"hello"})",
        R"({"type":"tool-results","session":"c","results":[{"toolCallId":"t","output":1}]})",
        R"({"type":"approvals","session":"c","approvals":[{"approvalId":"a","approved":true}]})",
        R"({"type":"abort","session":"c"})", R"({"type":"resume","session":"c"})"}) {
    INFO(what);
    const auto asked = says(what);
    CHECK(holds(asked, "BOB\x1f"
                       "c"));
    CHECK_FALSE(holds(asked, "ALICE"));
  }
  const auto left = says(R"({"type":"leave","session":"c"})");
  CHECK(holds(left, "BOB\x1f"
                    "c"));
  for (const auto& text : answer.socket->texts)
    CHECK_FALSE(holds(text, "BOB"));
}

TEST_CASE("an id that could reach into another owner's chats is refused", "[apps][owners]") {
  owner_fixture world;
  const auto& key = world.bob.key;
  CHECK(world.request(key, "POST", "/api/chat", R"({"id":"ALICE\u001fc","message":"x"})").status ==
        400);
  CHECK(world
            .request(key, "POST", "/v1/mcp/tools/call",
                     R"({"server":"s","tool":"t","sessionId":"ALICE\u001fc"})")
            .status == 400);
  auto& socket = *world.request(key, "GET", "/v1/ws").socket;
  socket.tell({websocket_inbound::kind::text,
               R"({"type":"start","session":"ALICE\u001fc","message":"x"})", 0});
  world.run();
  CHECK(holds(socket.texts.at(0), "request_invalid"));
  CHECK_FALSE(holds(world.heard(), "ALICE"));
}

TEST_CASE("events of MCP are shown to those whose chat they are of", "[apps][owners]") {
  struct row {
    std::string kind;
    std::string data;
    std::string for_bob; ///< "" = not at all
  };
  const principal bob{"bob", false};
  for (const auto& each : std::vector<row>{
           {"toolsChanged", R"({"server":"s"})", R"({"server":"s"})"},
           {"log", R"({"server":"s"})", ""},
           {"server", R"({"name":"s","log":[{"text":"of alice"}]})", R"({"name":"s","log":[]})"},
           {"server",
            R"({"error":{"code":"c","message":"gone; its stderr ends with:\nsesame"},"log":[]})",
            R"({"error":{"code":"c","message":"gone"},"log":[]})"},
           {"server", R"({"error":null,"log":[]})", R"({"error":null,"log":[]})"},
           {"attachment", R"({"sessionId":"bob\u001fc","id":"a"})",
            R"({"id":"a","sessionId":"c"})"},
           {"attachment", R"({"sessionId":"alice\u001fc","id":"a"})", ""},
           {"attachmentRemoved", R"({"sessionId":"alice\u001fc","id":"a"})", ""},
           {"clientRequest", R"({"sessionId":"alice\u001fc"})", ""},
           {"clientRequest", R"({"sessionId":""})", ""},
           {"clientRequestOver", R"({"requestId":"r"})", ""},
           {"clientRequestOver", R"({"requestId":"r","sessionId":"bob\u001fc"})",
            R"({"requestId":"r","sessionId":"c"})"}}) {
    INFO(each.kind << ' ' << each.data);
    const auto seen = visible_event({each.kind, "s", {each.data}}, bob);
    CHECK((seen ? seen->data.text : "") == each.for_bob);
    CHECK(visible_event({each.kind, "s", {each.data}}, {})->data.text == each.data);
  }
  const principal uninformed{"bob", false, 0, nullptr, false};
  CHECK(visible_event(
            {"server", "s", {R"({"error":{"code":"server_lost","message":"10.1.2.3 is gone"}})"}},
            uninformed)
            ->data.text.find("10.1.2.3") == std::string::npos);
  const auto of_bob =
      visible_event({"attachment", "s", {R"({"sessionId":"bob\u001fc"})"}}, {"alice", true});
  REQUIRE(of_bob);
  CHECK(of_bob->data.text == R"({"sessionId":"c","owner":"bob"})");
}

TEST_CASE("a rate counts the turns that begin on a WebSocket, too", "[apps][owners]") {
  owner_fixture world;
  api_key limited;
  std::string key;
  REQUIRE_FALSE(make_key(limited, key));
  limited.owner = "carol";
  limited.requests_per_minute = 1; // five at once
  world.api.keys()->update({{}, {limited}});
  auto& socket = *world.request(key, "GET", "/v1/ws").socket;
  for (int i = 0; i < 6; ++i) {
    socket.tell({websocket_inbound::kind::text,
                 R"({"type":"start","session":"c)" + std::to_string(i) + R"(","message":"x"})", 0});
    world.run();
  }
  CHECK(count(world.heard(), "carol\x1f"
                             "c") == 4); // the handshake was one
  REQUIRE(socket.texts.size() == 2);
  CHECK(holds(socket.texts[0], "rate_limited"));
  SECTION("and a revoked key ends it") {
    world.api.keys()->update({});
    socket.tell({websocket_inbound::kind::text, R"({"type":"ping"})", 0});
    world.run();
    CHECK(socket.closed_with == 4401);
  }
}

} // namespace owners_streams_test
