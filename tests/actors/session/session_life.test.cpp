#include "actors/session/session.hpp"

#include "actors/registry.hpp"
#include "tests/actors/session/chat.hpp"

namespace session_life_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// Learns the handle of a session by being its client for one turn.
session_actor find_session(chat& world, const std::string& id) {
  session_actor found;
  auto client =
      world.sys.spawn([&found](subscriber_actor::pointer self) -> subscriber_actor::behavior_type {
        return {[self, &found](const event_batch& batch) {
                  found = caf::actor_cast<session_actor>(self->current_sender());
                  if (is_terminal(batch.events.back()))
                    self->quit();
                },
                [](const turn_refused&) {}, [](const client_signal&) {}};
      });
  caf::send_as(client, world.hub, start_turn{chat::request("find", id), 1000});
  world.run();
  world.answer({text_chunk("here")});
  return found;
}

} // namespace

TEST_CASE_METHOD(chat, "the turn of a session that crashes is reported", "[actors][session]") {
  std::vector<turn_report> reports;
  const auto telemetry = sys.spawn([&](caf::event_based_actor*) -> caf::behavior {
    return {[&](const turn_report& report) { reports.push_back(report); }};
  });
  sys.registry().put(telemetry_name, caf::actor_cast<caf::strong_actor_ptr>(telemetry));
  open();
  auto session = find_session(*this, "s");
  reports.clear(); // of the turn by which it was found
  auto got = send("go");
  SECTION("while the model answers") {
    crash(*this, session);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].session_id == "s");
    CHECK(reports[0].error == errc::internal);
  }
  SECTION("with its hub") {
    crash(*this, hub);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].error == errc::internal);
  }
  SECTION("and an ended one is not reported again") {
    answer({text_chunk("hello")});
    REQUIRE(reports.size() == 1);
    crash(*this, session);
    CHECK(reports.size() == 1);
    CHECK(reports[0].error == errc::none);
  }
  sys.registry().erase(telemetry_name);
}

TEST_CASE_METHOD(chat, "a session that crashes gives its client one SESSION_ERROR",
                 "[actors][session]") {
  open_tools({"echo"});
  open();
  auto session = find_session(*this, "s");
  REQUIRE(session);
  auto got = send("go");
  SECTION("while the model answers") {
    crash(*this, session);
    CHECK(got->names() == strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "SESSION_ERROR"});
    CHECK(http.calls.back()->cancelled);
  }
  SECTION("while a tool runs: its lease is given back and the server is told") {
    answer({call_chunk(0, "a", "echo", "{}")});
    auto before = got->events.size();
    crash(*this, session);
    CHECK(got->events.size() == before + 1);
    CHECK(got->names().back() == "SESSION_ERROR");
    CHECK(ask<server_list>(tools, atom::status_v).active_flows == 0);
    CHECK(server().last("notifications/cancelled").method == "notifications/cancelled");
  }
  CHECK(got->numbers == numbers_from_one(got->events.size()));
  CHECK(counts().running_turns == 0);
  CHECK(counts().sessions == 0);
  CHECK(ends->empty());
  auto next = send("again");
  answer({text_chunk("hello")});
  CHECK(next->names() == plain_turn);
}

TEST_CASE_METHOD(chat,
                 "a session that dies before it saw the turn does not leave the client waiting",
                 "[actors][session]") {
  open();
  auto session = find_session(*this, "s");
  auto got = send(request("go"));
  sched().run_once(); // the subscriber
  caf::anon_send<caf::message_priority::high>(
      caf::actor_cast<caf::actor>(session),
      caf::exit_msg{session.address(), caf::make_error(errc::internal)});
  run();
  CHECK((got->refused.code == errc::internal || got->names() == strings{"SESSION_ERROR"}));
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(chat, "an exit message of a stranger does not end a session",
                 "[actors][session]") {
  open();
  auto session = find_session(*this, "s");
  auto got = send("hi");
  self->send_exit(caf::actor_cast<caf::actor>(session), caf::exit_reason::unknown);
  run();
  answer({text_chunk("hello")});
  CHECK(got->names() == plain_turn);
}

TEST_CASE_METHOD(chat, "an idle session ends after its time, and its history with it",
                 "[actors][session]") {
  open();
  send("remember me");
  answer({text_chunk("yes")});
  advance(6min);
  send("short", "other");
  answer({text_chunk("yes")});
  advance(3min + 59s);
  CHECK(counts().sessions == 2);
  advance(1s);
  CHECK(counts().sessions == 1);
  send("who am I?");
  CHECK_FALSE(contains(http.calls.back()->request.body, "remember me"));
}

TEST_CASE_METHOD(chat, "a turn that lasts longer than the idle time is left alone",
                 "[actors][session]") {
  settings.models["default"].timeouts = {0ms, 0ms, 0ms, 0ms}; // none
  open();
  send("one");
  answer({text_chunk("yes")});
  auto got = send("two");
  advance(30min);
  answer({text_chunk("at last")});
  CHECK(got->names() == plain_turn);
  advance(9min);
  CHECK(counts().sessions == 1);
  advance(1min);
  CHECK(counts().sessions == 0);
}

TEST_CASE_METHOD(chat, "a session that only refused turns ends too", "[actors][session]") {
  open();
  auto odd = request("hi");
  odd.options.model = "nope";
  send(std::move(odd));
  run();
  CHECK(counts().sessions == 1);
  advance(10min);
  CHECK(counts().sessions == 0);
}

TEST_CASE_METHOD(chat, "at the limit the longest idle session gives way, and a running one never",
                 "[actors][session]") {
  open(2);
  send("one", "a");
  answer({text_chunk("x")});
  send("two", "b");
  answer({text_chunk("x")});
  auto third = send("three", "c");
  CHECK(counts().sessions == 2);
  auto again = send("b again", "b");
  CHECK(contains(http.calls.back()->request.body, "two")); // b is still there, a had to go
  auto fourth = send("four", "d");
  CHECK(fourth->refused.code == errc::too_many_sessions);
  CHECK(third->refused.code == errc::none);
  CHECK(again->refused.code == errc::none);
}

} // namespace session_life_test
