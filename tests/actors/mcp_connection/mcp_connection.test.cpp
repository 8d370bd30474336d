#include "actors/mcp_connection/mcp_connection.hpp"

#include "tests/actors/mcp_connection/mcp_connection_fixture.hpp"

namespace mcp_connection_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

using strings = std::vector<std::string>;

const std::string list_changed = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";

} // namespace

TEST_CASE_METHOD(mcp_connection_fixture, "the handshake follows the protocol's order",
                 "[actors][mcp_connection]") {
  open();
  CHECK(link().sent.empty());
  CHECK(status.health == server_health::connecting);
  link().signal(mcp_signal::opened);
  run();
  REQUIRE(link().sent.size() == 1);
  CHECK(link().sent[0].method == "initialize");
  CHECK(link().sent[0].protocol_version.empty());
  CHECK(status.phase == server_phase::initializing);
  link().result(link().sent[0].request_id, initialize_answer());
  run();
  REQUIRE(link().sent.size() == 3);
  CHECK(link().sent[1].method == "notifications/initialized");
  CHECK(link().sent[1].protocol_version == "2025-11-25");
  CHECK(link().sent[2].method == "tools/list");
  CHECK(status.phase == server_phase::listing_tools);
  link().result(link().sent[2].request_id, tools_page({"echo"}));
  run();
  CHECK(status.health == server_health::success);
  CHECK(status.phase == server_phase::connected);
  CHECK(status.server_name == "fake");
  CHECK(tools() == strings{"echo"});
}

TEST_CASE_METHOD(mcp_connection_fixture, "a server without tools is connected after initialize",
                 "[actors][mcp_connection]") {
  open();
  link().signal(mcp_signal::opened);
  run();
  link().result(link().last("initialize").request_id, initialize_answer(false));
  run();
  CHECK(status.phase == server_phase::connected);
  CHECK(link().last("tools/list").method.empty());
}

TEST_CASE_METHOD(mcp_connection_fixture, "tools are listed over all pages",
                 "[actors][mcp_connection]") {
  open();
  link().signal(mcp_signal::opened);
  run();
  link().result(link().last("initialize").request_id, initialize_answer());
  run();
  link().result(link().last("tools/list").request_id, tools_page({"a", "b"}, "next"));
  run();
  CHECK(status.phase == server_phase::listing_tools);
  auto second = link().last("tools/list");
  CHECK(contains(second.json, R"("cursor":"next")"));
  link().result(second.request_id, tools_page({"c"}));
  run();
  CHECK(status.phase == server_phase::connected);
  CHECK(tools() == strings{"a", "b", "c"});
}

TEST_CASE_METHOD(mcp_connection_fixture, "a list that repeats its cursor is an error, not a loop",
                 "[actors][mcp_connection]") {
  open();
  link().signal(mcp_signal::opened);
  run();
  link().result(link().last("initialize").request_id, initialize_answer());
  run();
  link().result(link().last("tools/list").request_id, tools_page({"a"}, "same"));
  run();
  link().result(link().last("tools/list").request_id, tools_page({"a"}, "same"));
  run();
  CHECK(status.health == server_health::error);
  CHECK(status.error == errc::server_protocol);
  CHECK(link().destroyed);
  CHECK(tools().empty());
}

TEST_CASE_METHOD(mcp_connection_fixture, "an initialize that is refused or unreadable is an error",
                 "[actors][mcp_connection]") {
  open();
  link().signal(mcp_signal::opened);
  run();
  auto id = std::to_string(link().last("initialize").request_id);
  SECTION("refused") {
    receive(R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":-1,"message":"go away"}})");
    CHECK(contains(status.error_text, "go away"));
  }
  SECTION("a revision that nobody knows") {
    receive(R"({"jsonrpc":"2.0","id":)" + id +
            R"(,"result":{"protocolVersion":"1999-01-01","capabilities":{}}})");
  }
  CHECK(status.error == errc::server_protocol);
  CHECK(status.phase == server_phase::waiting_to_reconnect);
  advance(1s);
  CHECK(mcp.links.size() == 2);
}

TEST_CASE_METHOD(mcp_connection_fixture, "an initialize that is not answered is given up",
                 "[actors][mcp_connection]") {
  open();
  link().signal(mcp_signal::opened);
  run();
  advance(4s);
  CHECK(status.phase == server_phase::initializing);
  advance(1200ms);
  CHECK(status.error == errc::deadline_exceeded);
  CHECK(mcp.links.front()->destroyed);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a second initialize that fails after a reconnection is an error too",
                 "[actors][mcp_connection]") {
  connect();
  link().signal(mcp_signal::closed);
  advance(1s);
  REQUIRE(mcp.links.size() == 2);
  link().signal(mcp_signal::opened);
  run();
  auto id = std::to_string(link().last("initialize").request_id);
  receive(R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":-1,"message":"no"}})");
  CHECK(status.health == server_health::error);
  CHECK(tools().empty());
  advance(2s);
  CHECK(mcp.links.size() == 3);
}

TEST_CASE_METHOD(mcp_connection_fixture, "an answer to initialize that comes twice changes nothing",
                 "[actors][mcp_connection]") {
  connect();
  auto sent = link().sent.size();
  link().result(link().last("initialize").request_id, initialize_answer());
  run();
  CHECK(link().sent.size() == sent);
  CHECK(status.phase == server_phase::connected);
}

// -- the server speaks ---------------------------------------------------------------------------

TEST_CASE_METHOD(mcp_connection_fixture, "a ping is answered, and other requests are not offered",
                 "[actors][mcp_connection]") {
  connect();
  receive(R"({"jsonrpc":"2.0","id":"p-1","method":"ping"})");
  CHECK(contains(link().sent.back().json, R"("id":"p-1")"));
  CHECK(contains(link().sent.back().json, R"("result":{})"));
  receive(R"({"jsonrpc":"2.0","id":5,"method":"roots/list","params":{}})");
  CHECK(contains(link().sent.back().json, "-32601"));
  receive(R"({"jsonrpc":"2.0","id":6,"method":"initialize","params":{}})");
  CHECK(contains(link().sent.back().json, "-32601"));
  CHECK(status.phase == server_phase::connected);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a changed list is read again and replaces the old one at once",
                 "[actors][mcp_connection]") {
  connect({"old"});
  receive(list_changed);
  advance(100ms);
  result_of("tools/list", tools_page({"new1"}, "more"));
  CHECK(tools() == strings{"old"});
  CHECK(status.phase == server_phase::connected);
  receive(list_changed); // while it is read: once more, at the end
  advance(200ms);
  CHECK(all_sent(link(), "tools/list").size() == 3);
  result_of("tools/list", tools_page({"new2"}));
  CHECK(tools() == strings{"new1", "new2"});
  CHECK(all_sent(link(), "tools/list").size() == 4);
  result_of("tools/list", tools_page({"newest"}));
  CHECK(tools() == strings{"newest"});
  advance(1min);
  CHECK(all_sent(link(), "tools/list").size() == 4);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a list that changes before the handshake is over asks for nothing",
                 "[actors][mcp_connection]") {
  open();
  link().signal(mcp_signal::opened);
  run();
  receive(list_changed);
  CHECK(link().sent.size() == 1);
  link().result(link().last("initialize").request_id, initialize_answer());
  run();
  CHECK(all_sent(link(), "tools/list").size() == 1);
}

TEST_CASE_METHOD(mcp_connection_fixture, "noise on the line is ignored",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  auto id = link().last("tools/call").request_id;
  link().receive({"Listening on stdio...", "", "{", "[]", "null", "{\"jsonrpc\":\"2.0\"}",
                  "\xFF\xFE", R"({"jsonrpc":"2.0","id":99999,"result":{}})"});
  run();
  CHECK(outcomes.empty());
  CHECK(status.phase == server_phase::connected);
  link().result(id, tool_answer("fine"));
  run();
  CHECK(outcomes.size() == 1);
}

} // namespace mcp_connection_test
