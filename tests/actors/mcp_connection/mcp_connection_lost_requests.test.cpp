// Lost sessions and lost connections: what is sent again, and what is not.
#include "actors/mcp_connection/mcp_connection.hpp"

#include "tests/actors/mcp_connection/mcp_connection_fixture.hpp"

namespace mcp_connection_lost_requests_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// One tool that may be run twice, and one that may not.
const std::string two_tools =
    R"({"tools":[{"name":"look","inputSchema":{"type":"object"},"annotations":)"
    R"({"readOnlyHint":true}},{"name":"pay","inputSchema":{"type":"object"}}]})";

class losing : public mcp_connection_fixture {
public:
  losing() {
    config.type = "http";
    connect_with(R"("tools":{},"logging":{},"resources":{"subscribe":true})", two_tools);
    result_of("resources/list", R"({"resources":[]})");
    result_of("resources/templates/list", R"({"resourceTemplates":[]})");
  }

  int64_t sent_as(uint64_t number, const std::string& tool) {
    call(number, tool);
    return link().last("tools/call").request_id;
  }

  void lose_session(int64_t request_id, bool not_run = true) {
    fail(request_id, errc::server_session_lost, "no such session", not_run);
  }

  void close(errc why) {
    link().signal(mcp_signal::closed, why, "gone");
    run();
  }

  /// The new session.
  void come_back() {
    shake_hands_with(*this, link(), R"("tools":{},"logging":{},"resources":{"subscribe":true})",
                     two_tools);
  }

  size_t calls_sent() { return all_sent(link(), "tools/call").size(); }
};

} // namespace

TEST_CASE_METHOD(losing, "a lost session is made anew once, and all its calls are sent again",
                 "[actors][mcp_connection]") {
  std::vector<int64_t> ids;
  for (uint64_t number = 1; number <= 5; ++number)
    ids.push_back(sent_as(number, "pay"));
  for (auto id : ids)
    lose_session(id);
  call(6, "pay"); // while the channel is about to close
  CHECK(calls_sent() == 5);
  close(errc::server_session_lost);
  CHECK(outcomes.empty());
  REQUIRE(mcp.links.size() == 2);
  CHECK(status.health == server_health::success);
  CHECK(tools().size() == 2);
  call(7, "pay"); // while it connects again
  const auto* offered = &*status.offered;
  come_back();
  CHECK(&*status.offered == offered); // nothing to tell a chat of
  CHECK(calls_sent() == 7);
  CHECK(mcp.links.size() == 2);
  for (const auto& each : all_sent(link(), "tools/call"))
    link().result(each.request_id, tool_answer("paid"));
  run();
  REQUIRE(outcomes.size() == 7);
  for (const auto& each : outcomes)
    CHECK(each.error == errc::none);
}

TEST_CASE_METHOD(losing, "a call that may have run in the lost session is not run twice",
                 "[actors][mcp_connection]") {
  call(1, "pay");
  call(2, "look");
  close(errc::server_session_lost);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].call == 1);
  CHECK(outcomes[0].error == errc::outcome_unknown);
  come_back();
  CHECK(calls_sent() == 1);
  result_of("tools/call", tool_answer("seen"));
  REQUIRE(outcomes.size() == 2);
  CHECK(outcomes[1].call == 2);
  CHECK(outcomes[1].text == "seen");
}

TEST_CASE_METHOD(losing, "whoever hears that a call may have run hears that first",
                 "[actors][mcp_connection]") {
  call(1, "pay");
  link().signal(mcp_signal::closed, errc::server_lost, "MCP server 'one' ended with status 3");
  run();
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].text == "MCP server 'one': The connection was lost; the tool may or may not "
                            "have run. (MCP server 'one' ended with status 3)");
}

TEST_CASE_METHOD(losing, "a server that nobody reaches any more is connected again",
                 "[actors][mcp_connection]") {
  auto find_nobody = [this](uint64_t number) {
    sent_as(number, "pay");
    for (int tries = 0; tries < 2; ++tries)
      fail(link().last("tools/call").request_id, errc::server_unavailable, "refused", true);
    CHECK(outcomes.back().call == number);
    CHECK(outcomes.back().error == errc::server_unavailable);
  };
  auto first = sent_as(1, "look");
  find_nobody(2);
  CHECK(status.health == server_health::success); // the other call has still its chance
  link().result(first, tool_answer("seen"));
  run();
  find_nobody(3);
  CHECK(status.health == server_health::error);
  CHECK(status.phase == server_phase::waiting_to_reconnect);
  advance(1s);
  CHECK(mcp.links.size() == 2);
}

TEST_CASE_METHOD(losing, "a handshake begins without the revision of the one before",
                 "[actors][mcp_connection]") {
  CHECK_FALSE(link().last("tools/list").protocol_version.empty());
  close(errc::server_lost);
  advance(1s);
  REQUIRE(mcp.links.size() == 2);
  link().signal(mcp_signal::opened);
  run();
  CHECK(link().last("initialize").protocol_version.empty());
}

TEST_CASE_METHOD(losing, "a call is sent again once, not twice", "[actors][mcp_connection]") {
  auto id = sent_as(1, "look");
  lose_session(id);
  close(errc::server_session_lost);
  come_back();
  lose_session(link().last("tools/call").request_id);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::server_session_lost);
}

TEST_CASE_METHOD(losing, "a server that lets nobody in again refuses what waits for that",
                 "[actors][mcp_connection]") {
  lose_session(sent_as(1, "pay"));
  close(errc::server_session_lost);
  REQUIRE(mcp.links.size() == 2);
  link().signal(mcp_signal::opened);
  run();
  fail(link().last("initialize").request_id, errc::server_unavailable, "HTTP 401: log in again");
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::server_unavailable);
  CHECK(contains(outcomes[0].text, "HTTP 401: log in again"));
  CHECK(status.phase == server_phase::waiting_to_reconnect);
}

TEST_CASE_METHOD(losing, "a session that is lost again within 10 s is made anew after a delay",
                 "[actors][mcp_connection]") {
  close(errc::server_session_lost);
  come_back();
  advance(9s);
  close(errc::server_session_lost);
  CHECK(mcp.links.size() == 2);
  CHECK(status.health == server_health::error);
  call(1, "look");
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::server_unavailable);
  advance(1s);
  REQUIRE(mcp.links.size() == 3);
  come_back();
  advance(10s);
  close(errc::server_session_lost);
  CHECK(mcp.links.size() == 4);
}

TEST_CASE_METHOD(losing, "a lost session whose channel does not close is given up by itself",
                 "[actors][mcp_connection]") {
  lose_session(sent_as(1, "pay"));
  advance(3s);
  REQUIRE(mcp.links.size() == 2);
  come_back();
  CHECK(calls_sent() == 1);
}

TEST_CASE_METHOD(losing, "after a lost connection what is repeatable is sent again",
                 "[actors][mcp_connection]") {
  call(1, "look");
  call(2, "pay");
  ask_server(3, "resources/read", R"({"uri":"a:b"})");
  close(errc::server_lost);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].call == 2);
  CHECK(outcomes[0].error == errc::outcome_unknown);
  CHECK(status.health == server_health::error);
  call(4, "look"); // new ones do not wait for a server that is away
  REQUIRE(outcomes.size() == 2);
  CHECK(outcomes[1].error == errc::server_unavailable);
  advance(1s);
  come_back();
  CHECK(calls_sent() == 1);
  CHECK(all_sent(link(), "resources/read").size() == 1);
}

TEST_CASE_METHOD(losing, "calls wait for a lost connection only within their deadlines",
                 "[actors][mcp_connection]") {
  call(1, "look");
  close(errc::server_lost);
  for (int i = 0; i < 3; ++i) {
    advance(4s);
    if (!link().destroyed)
      close(errc::server_start_failed);
  }
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::tool_timeout);
  CHECK(contains(outcomes[0].text, "no connection"));
}

TEST_CASE_METHOD(losing, "a call that waits for the connection can be cancelled",
                 "[actors][mcp_connection]") {
  call(1, "look");
  close(errc::server_lost);
  self->send(connection, server_cancel{1, "stop"});
  advance(1s);
  come_back();
  CHECK(calls_sent() == 0);
  CHECK(outcomes.empty());
}

TEST_CASE_METHOD(losing, "one request that certainly did not run is sent again on the same channel",
                 "[actors][mcp_connection]") {
  auto id = sent_as(1, "pay");
  fail(id, errc::server_unavailable, "connection refused", true);
  REQUIRE(calls_sent() == 2);
  CHECK(outcomes.empty());
  fail(link().last("tools/call").request_id, errc::server_unavailable, "connection refused", true);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::server_unavailable);
}

TEST_CASE_METHOD(losing, "an answer that broke off leaves the outcome unknown",
                 "[actors][mcp_connection]") {
  fail(sent_as(1, "pay"), errc::server_lost, "the answer broke off");
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::outcome_unknown);
  fail(sent_as(2, "look"), errc::server_lost, "the answer broke off");
  CHECK(outcomes.size() == 1);
  result_of("tools/call", tool_answer("seen"));
  CHECK(outcomes.size() == 2);
}

TEST_CASE_METHOD(losing, "subscriptions and the log level are restored on a new connection",
                 "[actors][mcp_connection]") {
  for (const std::string uri : {"a:1", "a:2", "a:3"}) {
    ask_server(1, "resources/subscribe", R"({"uri":")" + uri + R"("})");
    if (uri == "a:3")
      refusal_of("resources/subscribe", -32602, "no");
    else
      result_of("resources/subscribe", "{}");
  }
  ask_server(2, "resources/unsubscribe", R"({"uri":"a:1"})");
  result_of("resources/unsubscribe", "{}");
  ask_server(3, "logging/setLevel", R"({"level":"debug"})");
  result_of("logging/setLevel", "{}");
  close(errc::server_lost);
  advance(1s);
  come_back();
  auto again = all_sent(link(), "resources/subscribe");
  REQUIRE(again.size() == 1);
  CHECK(contains(again[0].json, "a:2"));
  CHECK(contains(link().last("logging/setLevel").json, R"("level":"debug")"));
  refusal_of("resources/subscribe", -32002, "gone"); // a line in the diary, nothing more
  CHECK(contains(diary(), "resources/subscribe was refused: gone"));
  CHECK(status.phase == server_phase::connected);
}

TEST_CASE_METHOD(mcp_connection_fixture, "the configured log level is sent after each connect",
                 "[actors][mcp_connection]") {
  config.log_level = "warning";
  connect_with(R"("tools":{},"logging":{})");
  CHECK(contains(link().last("logging/setLevel").json, R"("level":"warning")"));
}

} // namespace mcp_connection_lost_requests_test
