// What a server sent that cannot be read, or has no id.
#include "actors/mcp_connection/mcp_unread_messages.hpp"

#include "tests/actors/mcp_connection/mcp_connection_fixture.hpp"

namespace mcp_unread_messages_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// A response whose result is nested deeper than is read.
std::string too_deep(int64_t id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":)" +
         std::string(1000, '[') + std::string(1000, ']') + '}';
}

const std::string without_id =
    R"({"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"the index is being built"}})";

} // namespace

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a call whose answer cannot be read ends at once, and has run",
                 "[actors][mcp_unread_messages]") {
  connect();
  call(1);
  auto id = link().last("tools/call").request_id;
  const auto answer = GENERATE_COPY(
      too_deep(id), R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{"a":")",
      R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{"a":"b)" + "\xFF\"}}",
      R"({"jsonrpc":"1.0","id":)" + std::to_string(id) + R"(,"result":{}})");
  receive(answer);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::server_protocol);
  CHECK_THAT(outcomes[0].text,
             Catch::StartsWith("MCP server 'one': its answer to tools/call cannot be read: ") &&
                 Catch::EndsWith("; the tool has run"));
  CHECK(contains(diary(), "cannot be read: "));
  CHECK(status.phase == server_phase::connected);
  receive(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{}})"); // too late
  CHECK(outcomes.size() == 1);
}

TEST_CASE_METHOD(mcp_connection_fixture, "a request that is no tool ends without a word of tools",
                 "[actors][mcp_unread_messages]") {
  connect_with(R"("tools":{},"resources":{})");
  ask_server(1, "resources/read", R"({"uri":"a:b"})");
  receive(too_deep(link().last("resources/read").request_id));
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::server_protocol);
  CHECK_FALSE(contains(outcomes[0].text, "tool"));
}

TEST_CASE_METHOD(mcp_connection_fixture, "a handshake that cannot be read is given up at once",
                 "[actors][mcp_unread_messages]") {
  open();
  link().signal(mcp_signal::opened);
  run();
  SECTION("in its first answer") {
    receive(too_deep(link().last("initialize").request_id));
  }
  SECTION("in its list of tools") {
    link().result(link().last("initialize").request_id, initialize_answer());
    run();
    receive(too_deep(link().last("tools/list").request_id));
  }
  CHECK(status.phase == server_phase::waiting_to_reconnect);
  CHECK(status.error == errc::server_protocol);
  CHECK(contains(status.error_text, "the nesting is too deep"));
}

TEST_CASE_METHOD(mcp_connection_fixture, "a list that cannot be read again leaves the old one",
                 "[actors][mcp_unread_messages]") {
  connect({"old"});
  receive(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
  advance(100ms);
  receive(too_deep(link().last("tools/list").request_id));
  CHECK(tools() == std::vector<std::string>{"old"});
  CHECK(status.phase == server_phase::connected);
  CHECK(contains(diary(), "its answer to tools/list cannot be read: "));
}

TEST_CASE_METHOD(mcp_connection_fixture, "the answer to a ping need not be readable",
                 "[actors][mcp_unread_messages]") {
  config.ping_interval = 20s;
  connect();
  advance(20s);
  receive(too_deep(link().last("ping").request_id));
  advance(15s);
  CHECK(status.phase == server_phase::connected);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a task whose state or result cannot be read is not polled for ever",
                 "[actors][mcp_unread_messages]") {
  connect_with(R"("tools":{},"tasks":{"requests":{"tools":{"call":{}}}})",
               R"({"tools":[{"name":"must","inputSchema":{"type":"object"},)"
               R"("execution":{"taskSupport":"required"}}]})");
  const std::string task =
      R"("taskId":"t1","createdAt":"2026-01-01T00:00:00Z","ttl":null,"pollInterval":100,)"
      R"("lastUpdatedAt":"2026-01-01T00:00:00Z","status":)";
  call(1, "must");
  result_of("tools/call", R"({"task":{)" + task + R"("working"}})");
  advance(100ms);
  SECTION("its state") {
    receive(too_deep(link().last("tasks/get").request_id));
  }
  SECTION("its result") {
    result_of("tasks/get", '{' + task + R"("completed"})");
    receive(too_deep(link().last("tasks/result").request_id));
  }
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::server_protocol);
  const auto sent = link().sent.size();
  advance(1min);
  CHECK(link().sent.size() == sent);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "what looks like no response is told of, ten times for each channel",
                 "[actors][mcp_unread_messages]") {
  connect();
  call(1);
  for (int i = 0; i < 20; ++i)
    receive("{'line of a log': " + std::to_string(i));
  mcp_inbound in;
  in.channel = link().number;
  in.noise = "Listening";
  link().deliver(std::move(in));
  run();
  CHECK(outcomes.empty());
  CHECK(contains(diary(), "{'line of a log': 9"));
  CHECK_FALSE(contains(diary(), "{'line of a log': 10"));
  CHECK_FALSE(contains(diary(), "Listening"));
  link().signal(mcp_signal::closed, errc::server_lost, "gone");
  run();
  advance(1s);
  REQUIRE(mcp.links.size() == 2);
  mcp_inbound again;
  again.channel = link().number;
  again.noise = "Listening";
  link().deliver(std::move(again));
  run();
  CHECK(contains(diary(), "cannot be read: no JSON: Listening"));
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a call that nothing answers says what came in the meantime",
                 "[actors][mcp_unread_messages]") {
  connect();
  receive("{ before");
  advance(1min);
  call(1);
  advance(10s);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].text == "MCP server 'one': no answer within 10000 ms");
  call(2);
  advance(1s);
  receive("{ meanwhile");
  advance(9s);
  REQUIRE(outcomes.size() == 2);
  CHECK(outcomes[1].error == errc::tool_timeout);
  CHECK(contains(outcomes[1].text, "it sent something that cannot be read: not JSON: "));
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "an error without an id is for the only request that waits",
                 "[actors][mcp_unread_messages]") {
  connect();
  call(1);
  receive(without_id);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::server_refused);
  CHECK(contains(outcomes[0].text, "the index is being built (code -32603)"));
}

TEST_CASE_METHOD(mcp_connection_fixture, "an error without an id ends none of several requests",
                 "[actors][mcp_unread_messages]") {
  connect();
  call(1);
  call(2);
  receive(without_id);
  CHECK(outcomes.empty());
  CHECK(contains(diary(), "an error without an id (code -32603): the index is being built"));
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "an error without an id is for the request in whose answer it came",
                 "[actors][mcp_unread_messages]") {
  connect();
  call(1);
  const auto first = link().last("tools/call").request_id;
  call(2);
  mcp_inbound in;
  in.channel = link().number;
  in.messages = {without_id};
  in.related = first;
  link().deliver(std::move(in));
  run();
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].call == 1);
  CHECK(outcomes[0].error == errc::server_refused);
}

TEST_CASE_METHOD(mcp_connection_fixture, "a result without an id is for nobody",
                 "[actors][mcp_unread_messages]") {
  connect();
  call(1);
  receive(R"({"jsonrpc":"2.0","id":null,"result":{"content":[]}})");
  CHECK(outcomes.empty());
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a secret at the end of what is shown is not shown in part",
                 "[actors][mcp_unread_messages]") {
  config.env = {{"API_KEY", "hunter2-hunter2"}};
  connect();
  receive("{" + std::string(192, '.') + "hunter2-hunter2"); // the diary has 200 bytes
  CHECK(contains(diary(), "cannot be read: "));
  CHECK_FALSE(contains(diary(), "hunter2"));
}

} // namespace mcp_unread_messages_test
