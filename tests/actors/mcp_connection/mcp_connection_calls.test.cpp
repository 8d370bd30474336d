#include "actors/mcp_connection/mcp_connection.hpp"

#include "tests/actors/mcp_connection/mcp_connection_fixture.hpp"

namespace mcp_connection_calls_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

std::string progress_of(int64_t token, const std::string& value) {
  return R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" +
         std::to_string(token) + R"(,"progress":)" + value + "}}";
}

} // namespace

TEST_CASE_METHOD(mcp_connection_fixture, "a call reports its progress and then its result",
                 "[actors][mcp_connection]") {
  connect();
  call(7);
  auto sent = link().last("tools/call");
  CHECK(contains(sent.json, R"("progressToken":)" + std::to_string(sent.request_id)));
  receive(progress_of(sent.request_id, "1"));
  receive(progress_of(sent.request_id, "2"));
  link().result(sent.request_id, tool_answer("done"));
  run();
  REQUIRE(progress.size() == 2);
  CHECK(progress[1].call == 7);
  CHECK(progress[1].progress == 2);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].call == 7);
  CHECK(outcomes[0].error == errc::none);
  CHECK(outcomes[0].text == "done");
  CHECK(contains(outcomes[0].result.text, "content"));
  receive(progress_of(sent.request_id, "3"));
  link().result(sent.request_id, tool_answer("again"));
  run();
  CHECK(progress.size() == 2);
  CHECK(outcomes.size() == 1);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "an error of the tool and an error of the protocol are told apart",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  result_of("tools/call", tool_answer("no such file", true));
  call(2);
  refusal_of("tools/call", -32602, "bad arguments");
  REQUIRE(outcomes.size() == 2);
  CHECK(outcomes[0].error == errc::tool_failed);
  CHECK(outcomes[0].text == "no such file");
  CHECK(contains(outcomes[0].result.text, "isError"));
  CHECK(outcomes[1].error == errc::server_refused);
  CHECK(outcomes[1].text == "MCP server 'one': it refused tools/call: bad arguments (code -32602)");
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a cancelled call is told to the server, and its late answer dropped",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  auto id = link().last("tools/call").request_id;
  self->send(connection, server_cancel{1, "the user stopped it"});
  run();
  auto note = link().last("notifications/cancelled");
  CHECK(note.request_id == 0);
  CHECK(contains(note.json, R"("requestId":)" + std::to_string(id)));
  CHECK(contains(note.json, "the user stopped it"));
  link().result(id, tool_answer("late"));
  run();
  CHECK(outcomes.empty());
  CHECK(status.phase == server_phase::connected);
}

TEST_CASE_METHOD(mcp_connection_fixture, "a call that is not answered in time is a tool_timeout",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  auto id = link().last("tools/call").request_id;
  advance(9s);
  CHECK(outcomes.empty());
  advance(1200ms);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::tool_timeout);
  CHECK(contains(link().last("notifications/cancelled").json, std::to_string(id)));
  link().result(id, tool_answer("late"));
  run();
  CHECK(outcomes.size() == 1);
  CHECK(status.phase == server_phase::connected);
}

TEST_CASE_METHOD(mcp_connection_fixture, "progress keeps a call alive, but not for ever",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  auto id = link().last("tools/call").request_id;
  for (int second = 0; second < 95; second += 5) {
    advance(5s);
    receive(progress_of(id, std::to_string(second)));
  }
  CHECK(outcomes.empty());
  advance(5s);
  receive(progress_of(id, "99"));
  advance(200ms);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::tool_timeout);
}

TEST_CASE_METHOD(mcp_connection_fixture, "more calls than max_parallel wait for their turn",
                 "[actors][mcp_connection]") {
  config.max_parallel = 2;
  connect();
  for (uint64_t number = 1; number <= 4; ++number)
    call(number);
  auto sent = all_sent(link(), "tools/call");
  REQUIRE(sent.size() == 2);
  self->send(connection, server_cancel{3, "not wanted"});
  run();
  CHECK(all_sent(link(), "notifications/cancelled").empty()); // the server never heard of it
  link().result(sent[1].request_id, tool_answer("2"));
  run();
  sent = all_sent(link(), "tools/call");
  REQUIRE(sent.size() == 3);
  link().result(sent[2].request_id, tool_answer("4"));
  run();
  REQUIRE(outcomes.size() == 2);
  CHECK(outcomes[1].call == 4);
  CHECK(all_sent(link(), "tools/call").size() == 3);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "one request that failed in the transport fails its call alone",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  call(2);
  fail(link().last("tools/call").request_id, errc::deadline_exceeded, "the answer broke off");
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].call == 2);
  CHECK(outcomes[0].error == errc::deadline_exceeded);
  CHECK(contains(outcomes[0].text, "broke off"));
  CHECK(status.phase == server_phase::connected);
}

TEST_CASE_METHOD(mcp_connection_fixture, "a call that waits for a slot has its deadline, too",
                 "[actors][mcp_connection]") {
  config.max_parallel = 1;
  connect();
  call(1);
  call(2);
  auto first = link().last("tools/call").request_id;
  advance(8s);
  receive(progress_of(first, "1"));
  advance(2s);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].call == 2);
  CHECK(outcomes[0].error == errc::tool_timeout);
  CHECK(contains(outcomes[0].text, "no free slot within 10000 ms"));
  CHECK(all_sent(link(), "notifications/cancelled").empty());
}

TEST_CASE_METHOD(mcp_connection_fixture, "a slot is free as soon as its call is cancelled",
                 "[actors][mcp_connection]") {
  config.max_parallel = 1;
  connect();
  call(1);
  call(2);
  CHECK(all_sent(link(), "tools/call").size() == 1);
  self->send(connection, server_cancel{1, "stop"});
  run();
  CHECK(all_sent(link(), "tools/call").size() == 2);
  result_of("tools/call", tool_answer("2"));
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].call == 2);
}

TEST_CASE_METHOD(mcp_connection_fixture, "a call before the handshake is over is refused at once",
                 "[actors][mcp_connection]") {
  open();
  call(1);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::server_unavailable);
  CHECK(outcomes[0].text == "MCP server 'one': it is still connecting");
}

TEST_CASE_METHOD(mcp_connection_fixture, "a transport's error names the server once",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  fail(link().last("tools/call").request_id, errc::server_protocol,
       "MCP server 'one' answered tools/call with HTTP 500: no");
  call(2);
  fail(link().last("tools/call").request_id, errc::server_protocol, "its answer was too long");
  REQUIRE(outcomes.size() == 2);
  CHECK(outcomes[0].text == "MCP server 'one' answered tools/call with HTTP 500: no");
  CHECK(outcomes[1].text == "MCP server 'one': its answer was too long");
}

// -- other requests ------------------------------------------------------------------------------

TEST_CASE_METHOD(mcp_connection_fixture, "any request of the protocol is passed through",
                 "[actors][mcp_connection]") {
  connect_with(R"("resources":{})");
  ask_server(5, "resources/read", R"({"uri":"file:///a"})");
  auto sent = link().last("resources/read");
  CHECK(contains(sent.json, R"("uri":"file:///a")"));
  CHECK(contains(sent.json, R"("progressToken":)" + std::to_string(sent.request_id)));
  receive(progress_of(sent.request_id, "1"));
  CHECK(progress.size() == 1);
  result_of("resources/read", R"({"contents":[ ]})");
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].call == 5);
  CHECK(outcomes[0].error == errc::none);
  CHECK(outcomes[0].text.empty());
  CHECK(outcomes[0].result.text == R"({"contents":[ ]})");
}

TEST_CASE_METHOD(mcp_connection_fixture, "what a server does not offer is not asked of it",
                 "[actors][mcp_connection]") {
  connect_with(R"("tools":{},"resources":{})");
  auto sent = link().sent.size();
  ask_server(1, "prompts/get", "{}");
  ask_server(2, "resources/subscribe", R"({"uri":"a:b"})");
  ask_server(3, "initialize");
  REQUIRE(outcomes.size() == 3);
  CHECK(outcomes[0].error == errc::capability_missing);
  CHECK(contains(outcomes[0].text, "'one'"));
  CHECK(contains(outcomes[0].text, "\"prompts\""));
  CHECK(outcomes[1].error == errc::capability_missing);
  CHECK(contains(outcomes[1].text, "resourcesSubscribe"));
  CHECK(outcomes[2].error == errc::request_invalid);
  CHECK(link().sent.size() == sent);
}

TEST_CASE_METHOD(mcp_connection_fixture, "an answer that is no object is not passed on",
                 "[actors][mcp_connection]") {
  connect_with(R"("resources":{})");
  ask_server(1, "resources/read", R"({"uri":"a:b"})");
  result_of("resources/read", "7");
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::server_protocol);
  CHECK(outcomes[0].result.text.empty());
}

TEST_CASE_METHOD(mcp_connection_fixture, "a server that wants the user to open a page names it",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  receive(R"({"jsonrpc":"2.0","id":)" + std::to_string(link().last("tools/call").request_id) +
          R"(,"error":{"code":-32042,"message":"x","data":{"elicitations":[{"mode":"url",)" +
          R"("elicitationId":"e1","url":"https://example.org/login","message":"Log in"}]}}})");
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::server_refused);
  CHECK(contains(outcomes[0].text, "Log in: https://example.org/login"));
}

TEST_CASE_METHOD(mcp_connection_fixture, "a structured result has to match the tool's outputSchema",
                 "[actors][mcp_connection]") {
  connect_with(R"("tools":{})",
               R"({"tools":[{"name":"echo","inputSchema":{"type":"object"},"outputSchema":)"
               R"({"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}]})");
  call(1);
  SECTION("it does") {
    result_of("tools/call", R"({"content":[],"structuredContent":{"n":1}})");
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].error == errc::none);
  }
  SECTION("it does not") {
    result_of("tools/call", R"({"content":[],"structuredContent":{"n":"one"}})");
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].error == errc::tool_result_invalid);
    CHECK(contains(outcomes[0].text, "/n"));
    CHECK(contains(outcomes[0].result.text, "structuredContent"));
  }
  SECTION("there is none") {
    result_of("tools/call", tool_answer("only text"));
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].error == errc::tool_result_invalid);
  }
  SECTION("an error needs none") {
    result_of("tools/call", tool_answer("broken", true));
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0].error == errc::tool_failed);
  }
}

} // namespace mcp_connection_calls_test
