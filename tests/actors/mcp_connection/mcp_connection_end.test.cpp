#include "actors/mcp_connection/mcp_connection.hpp"

#include "tests/actors/mcp_connection/mcp_connection_fixture.hpp"

namespace mcp_connection_end_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE_METHOD(mcp_connection_fixture, "a channel that closes ends what may have run, at once",
                 "[actors][mcp_connection]") {
  config.max_parallel = 1;
  connect();
  call(1);
  call(2);
  link().signal(mcp_signal::closed, errc::server_lost, "exit code 1: out of cheese");
  run();
  REQUIRE(outcomes.size() == 1); // the second was not sent yet: it waits
  CHECK(outcomes[0].call == 1);
  CHECK(outcomes[0].error == errc::outcome_unknown);
  CHECK(contains(outcomes[0].text, "out of cheese"));
  CHECK(status.health == server_health::error);
  CHECK(tools().empty());
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "calls are not told what the server wrote to stderr, its status is",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  link().signal(mcp_signal::closed, errc::server_lost,
                "exit code 1; its stderr ends with:\nalice said sesame");
  run();
  call(2); // is refused
  REQUIRE(outcomes.size() == 2);
  for (const auto& each : outcomes) {
    CHECK(contains(each.text, "exit code 1"));
    CHECK_FALSE(contains(each.text, "sesame"));
  }
  CHECK(contains(status.error_text, "sesame"));
}

TEST_CASE_METHOD(mcp_connection_fixture, "reconnections wait 1, 2, 4, 8, 16 and then 30 seconds",
                 "[actors][mcp_connection]") {
  open();
  for (auto wait : {1s, 2s, 4s, 8s, 16s, 30s, 30s}) {
    auto links = mcp.links.size();
    link().signal(mcp_signal::closed, errc::server_start_failed, "no such program");
    advance(wait - 1ms);
    CHECK(mcp.links.size() == links);
    advance(1ms);
    CHECK(mcp.links.size() == links + 1);
  }
  CHECK(reconnect_delay(1'000'000) == 30s);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a connection that lasted starts again with the shortest delay",
                 "[actors][mcp_connection]") {
  open();
  link().signal(mcp_signal::closed);
  advance(1s);
  link().signal(mcp_signal::closed);
  advance(2s);
  REQUIRE(mcp.links.size() == 3);
  shake_hands(*this, link(), {});
  SECTION("for long") {
    advance(10s);
    link().signal(mcp_signal::closed);
    advance(1s);
    CHECK(mcp.links.size() == 4);
  }
  SECTION("not for long") {
    advance(9s);
    link().signal(mcp_signal::closed);
    advance(3999ms);
    CHECK(mcp.links.size() == 3);
    advance(1ms);
    CHECK(mcp.links.size() == 4);
  }
}

TEST_CASE_METHOD(mcp_connection_fixture, "what comes late from an older channel is dropped",
                 "[actors][mcp_connection]") {
  connect();
  auto old = mcp.links.front();
  auto deliver = old->deliver;
  old->signal(mcp_signal::closed);
  advance(1s);
  shake_hands(*this, link(), {"echo"});
  mcp_inbound late;
  late.channel = old->number;
  late.signal = mcp_signal::closed;
  deliver(std::move(late));
  run();
  CHECK(status.phase == server_phase::connected);
  CHECK(mcp.links.size() == 2);
}

TEST_CASE_METHOD(mcp_connection_fixture, "a channel that closes twice is one loss",
                 "[actors][mcp_connection]") {
  connect();
  auto old = mcp.links.front();
  auto deliver = old->deliver;
  mcp_inbound closed;
  closed.channel = old->number;
  closed.signal = mcp_signal::closed;
  for (int i = 0; i < 2; ++i)
    deliver(mcp_inbound{closed});
  run();
  advance(1s);
  CHECK(mcp.links.size() == 2);
  CHECK(status.attempt == 1);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "disconnect closes in the protocol's order and answers at the end",
                 "[actors][mcp_connection]") {
  connect();
  call(1);
  auto pending = self->request(connection, caf::infinite, atom::disconnect_v);
  run();
  CHECK(link().closing);
  CHECK_FALSE(link().destroyed);
  call(2);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].error == errc::server_unavailable);
  link().signal(mcp_signal::closed);
  run();
  bool answered = false;
  pending.receive([&](atom::done) { answered = true; }, [](caf::error&) {});
  CHECK(answered);
  CHECK(outcomes.size() == 2);
  CHECK(status.health == server_health::idle);
  REQUIRE(ends.size() == 1);
  CHECK(ends[0] == caf::exit_reason::normal);
  advance(1min);
  CHECK(mcp.links.size() == 1);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a disconnect while it waits to reconnect is answered at once",
                 "[actors][mcp_connection]") {
  open();
  link().signal(mcp_signal::closed);
  run();
  ask<atom::done>(connection, atom::disconnect_v);
  CHECK(ends.size() == 1);
  advance(1min);
  CHECK(mcp.links.size() == 1);
}

TEST_CASE_METHOD(mcp_connection_fixture, "two disconnects are both answered",
                 "[actors][mcp_connection]") {
  connect();
  int answered = 0;
  auto first = self->request(connection, caf::infinite, atom::disconnect_v);
  auto second = self->request(connection, caf::infinite, atom::disconnect_v);
  run();
  link().signal(mcp_signal::closed);
  run();
  for (auto* each : {&first, &second})
    each->receive([&](atom::done) { ++answered; }, [](caf::error&) {});
  CHECK(answered == 2);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "attempts end at max_reconnects until somebody asks for a retry",
                 "[actors][mcp_connection]") {
  config.max_reconnects = 2;
  open();
  for (auto wait : {1s, 2s}) {
    link().signal(mcp_signal::closed, errc::server_start_failed, "no such program");
    run();
    CHECK(status.phase == server_phase::waiting_to_reconnect);
    advance(wait);
  }
  link().signal(mcp_signal::closed, errc::server_start_failed, "no such program");
  run();
  CHECK(status.health == server_health::error);
  CHECK(status.phase == server_phase::given_up);
  CHECK(status.attempt == 2);
  advance(10min);
  CHECK(mcp.links.size() == 3);
  self->send(connection, atom::restart_v);
  run();
  CHECK(mcp.links.size() == 4);
  CHECK(status.attempt == 0);
  shake_hands(*this, link(), {"echo"});
  CHECK(status.health == server_health::success);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "a retry does not wait, and is nothing to a connected server",
                 "[actors][mcp_connection]") {
  open();
  link().signal(mcp_signal::closed);
  run();
  self->send(connection, atom::restart_v);
  run();
  REQUIRE(mcp.links.size() == 2);
  shake_hands(*this, link(), {"echo"});
  self->send(connection, atom::restart_v);
  advance(10s); // the delay that was under way has no effect either
  CHECK(mcp.links.size() == 2);
  CHECK(status.phase == server_phase::connected);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "with jitter a reconnection comes at some time within its delay",
                 "[actors][mcp_connection]") {
  config.reconnect_jitter = true;
  open();
  link().signal(mcp_signal::closed);
  advance(1s);
  CHECK(mcp.links.size() == 2);
}

TEST_CASE_METHOD(mcp_connection_fixture,
                 "secrets of the configuration are in no text about the server",
                 "[actors][mcp_connection]") {
  config.env = {{"API_KEY", "hunter2-hunter2"}};
  config.http_headers = {{"Authorization", "Bearer abcdefgh"}};
  connect();
  call(1);
  link().signal(mcp_signal::closed, errc::server_lost,
                "exit code 1: bad key hunter2-hunter2, token abcdefgh");
  run();
  for (const auto& text : {status.error_text, diary(), outcomes.at(0).text}) {
    CHECK(contains(text, "bad key ***, token ***"));
    CHECK_FALSE(contains(text, "hunter2"));
    CHECK_FALSE(contains(text, "abcdefgh"));
  }
}

} // namespace mcp_connection_end_test
