// What other nodes ask of an MCP server that this node is connected to.
#include "apps/engine/http/requests/route_tables.hpp"

#include <string>

#include "tests/actors/mcp_hub/fake_mcp_hub.hpp"
#include "tests/actors/parents.hpp"
#include "tests/apps/engine/http/nodes/turn_forwarder_fixture.hpp"

namespace mcp_node_routes_test {

using namespace troupe;
using namespace troupe::test;

namespace {

const std::string session = "7-3"; // this_start, server_status::connection

struct node_world : forwarder_fixture {
  node_world() {
    api.forward_to(nodes, mcp_node_routes());
    mcp = start_fake_hub(*this, notes);
    server_status server;
    server.name = "s 1";
    server.node = "a";
    server.connection = 3;
    server.phase = server_phase::connected;
    server.health = server_health::success;
    server.protocol_version = "2025-11-25";
    server.server_name = "it";
    notes->servers.servers = {server};
  }
  ~node_world() {
    sys.registry().erase(mcp_hub_name);
    if (mcp)
      crash(*this, mcp, caf::exit_reason::kill);
  }

  server_status& server() { return notes->servers.servers[0]; }

  noted_response& send(const std::string& method, const std::string& body = "",
                       const std::string& in_session = session, uint64_t to = this_start) {
    auto in = request_of(method, "/v1/mcp/node/s%201", body);
    in.fields = {{"mcp-session-id", in_session}};
    const forward_signature theirs{"a secret of sixteen letters"};
    in.fields = make_forward(in, {"", 0, to}, {"b", theirs}, "http://a").fields;
    answers.push_back(std::make_shared<noted_response>());
    api.answer_node(std::move(in), answers.back());
    run();
    return *answers.back();
  }
  noted_response& post(const std::string& method, const std::string& params = "{}",
                       const std::string& in_session = session, uint64_t to = this_start) {
    return send("POST",
                R"({"jsonrpc":"2.0","id":5,"method":")" + method + R"(","params":)" + params + "}",
                in_session, to);
  }
  noted_response& call() {
    return post("tools/call", R"({"name":"look","arguments":{"a":1},"_meta":{"progressToken":9}})");
  }
  void outcome(errc code, const std::string& text, const std::string& result = "") {
    caf::anon_send(caf::actor_cast<caf::actor>(notes->calls.back().second),
                   tool_outcome{"call", code, text, {result}});
    run();
  }

  shared_notes notes = std::make_shared<hub_notes>();
  fake_hub_actor mcp;
};

} // namespace

TEST_CASE_METHOD(node_world, "a server here says to other nodes what it is", "[apps][http]") {
  auto& said = post("initialize", "{}", "");
  CHECK(said.status == 200);
  CHECK(find_header(said.fields, "mcp-session-id") == session);
  CHECK_THAT(said.body, Catch::Contains(R"("id":5)") && Catch::Contains(R"("name":"it")"));
  CHECK(send("POST", R"({"jsonrpc":"2.0","method":"notifications/initialized"})").status == 202);
  CHECK(post("ping").status == 200);
  CHECK(send("DELETE").status == 204);
}

TEST_CASE_METHOD(node_world, "a server that is not here (any more) begins no request",
                 "[apps][http]") {
  uint64_t to = this_start;
  std::string in = session;
  SECTION("another start of the node is meant") {
    to = 42;
  }
  SECTION("another node has it") {
    server().remote = true;
  }
  SECTION("each node has its own") {
    server().node.clear();
  }
  SECTION("it is being connected") {
    server().phase = server_phase::initializing;
  }
  SECTION("nobody knows it") {
    notes->servers.servers.clear();
  }
  SECTION("the hub is away") {
    crash(*this, mcp, caf::exit_reason::kill);
    sys.registry().erase(mcp_hub_name);
    mcp = nullptr;
  }
  CHECK(post("initialize", "{}", "", to).status == 503);
  CHECK(post("ping", "{}", in, to).status == 404);
  CHECK(post("tools/call", R"({"name":"look"})", in, to).status == 404);
  CHECK(send("GET", "", in, to).status == 404);
  CHECK(notes->calls.empty());
}

TEST_CASE_METHOD(node_world, "a session ends with the connection that it was made with",
                 "[apps][http]") {
  server().connection = 4;
  CHECK(post("ping").status == 404);
  CHECK(post("ping", "{}", "7-4").status == 200);
}

TEST_CASE_METHOD(node_world, "why a server cannot be started here is told", "[apps][http]") {
  server().phase = server_phase::waiting_to_reconnect;
  server().health = server_health::error;
  server().error_text = "no such program";
  auto& said = post("initialize", "{}", "");
  CHECK(said.status == 200);
  CHECK_THAT(said.body, Catch::Contains(R"("error")") && Catch::Contains("no such program"));
}

TEST_CASE_METHOD(node_world, "a call goes to the server as another node's", "[apps][http]") {
  auto& said = call();
  REQUIRE(notes->calls.size() == 1);
  const auto& passed = notes->calls[0].first;
  CHECK(passed.server == "s 1");
  CHECK(passed.tool == "look");
  CHECK(passed.arguments == R"({"a":1})");
  CHECK(passed.from_node);
  CHECK(said.status == 0);
  SECTION("its result comes back as it is") {
    outcome(errc::none, "text", R"({"content":[],"isError":false})");
    CHECK(said.body == R"({"jsonrpc":"2.0","id":5,"result":{"content":[],"isError":false}})");
  }
  SECTION("also one that says that the tool has failed") {
    outcome(errc::tool_failed, "text", R"({"content":[],"isError":true})");
    CHECK_THAT(said.body, Catch::Contains(R"("isError":true)"));
  }
  SECTION("an error is an answer") {
    outcome(errc::tool_timeout, "it took too long");
    CHECK(said.status == 200);
    CHECK_THAT(said.body, Catch::Contains(R"("error")") && Catch::Contains("it took too long"));
  }
  SECTION("what was not begun may be asked of another node") {
    outcome(errc::server_session_lost, "moved");
    CHECK(said.status == 404);
  }
  SECTION("what may have been begun may not") {
    SECTION("the server has gone") {
      outcome(errc::outcome_unknown, "gone");
      CHECK(said.status == 200);
    }
    SECTION("the hub has gone") {
      crash(*this, mcp, caf::exit_reason::kill);
      mcp = nullptr;
      CHECK(said.status == 0);
      CHECK(said.broken);
    }
  }
  SECTION("progress makes it a stream") {
    caf::anon_send(caf::actor_cast<caf::actor>(notes->calls.back().second),
                   tool_progress{"call", 1, 2, "half"});
    run();
    outcome(errc::none, "text", R"({"content":[]})");
    CHECK(find_header(said.fields, "content-type") == "text/event-stream");
    CHECK_THAT(said.body, Catch::Contains(R"("progressToken":9,"progress":1,"total":2)") &&
                              Catch::Contains(R"("result":{"content":[]})"));
    CHECK(said.ended);
  }
  if (!said.status && !said.broken) {
    said.tell(response_signal::gone);
    run();
  }
}

TEST_CASE_METHOD(node_world, "other requests go to the server as they are", "[apps][http]") {
  auto& said = post("prompts/get", R"({"name":"p"})");
  REQUIRE(notes->asks.size() == 1);
  CHECK(notes->asks[0].what.method == "prompts/get");
  CHECK(notes->asks[0].what.params.text == R"({"name":"p"})");
  CHECK(notes->asks[0].what.from_node);
  notes->ready = {{0, mcp_answer{{}, {R"({"messages":[]})"}}}};
  caf::anon_send(mcp, atom::tick_v);
  run();
  CHECK(said.body == R"({"jsonrpc":"2.0","id":5,"result":{"messages":[]}})");
  CHECK_THAT(post("roots/list").body, Catch::Contains("-32601"));
}

TEST_CASE_METHOD(node_world, "nothing of it is there for clients", "[apps][http]") {
  CHECK(ask("POST", "/v1/mcp/node/s%201").status == 404);
}

} // namespace mcp_node_routes_test
