#include "actors/session_hub/session_hub.hpp"

#include "tests/actors/session/draining_hub.hpp"

namespace session_hub_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE_METHOD(chat, "a drain without turns is answered at once", "[actors][session_hub]") {
  open();
  drain now{*this, 1s};
  CHECK(now.answers() == 1);
  CHECK(counts().draining);
}

TEST_CASE_METHOD(chat, "a drain waits for the running turns and refuses new ones",
                 "[actors][session_hub]") {
  open();
  auto got = send("hi");
  drain first{*this, 10s};
  drain second{*this, 10s};
  auto late = send("late", "other");
  CHECK(late->refused.code == errc::shutting_down);
  advance(5s);
  CHECK(first.answers() == 0);
  answer({text_chunk("bye")});
  CHECK(got->names().back() == "SESSION_END");
  CHECK(first.answers() == 1);
  CHECK(second.answers() == 1);
  advance(1min);
  CHECK(first.answers() == 1);
}

TEST_CASE_METHOD(chat, "whoever wants to know how many turns run can read it at any time",
                 "[actors][session_hub]") {
  turns_running->store(7); // of a hub before this one
  open();
  CHECK(turns_running->load() == 0);
  auto one = send("hi", "a");
  auto two = send("hi", "b");
  CHECK(turns_running->load() == 2);
  answer({text_chunk("bye")}); // to the second
  CHECK(two->names().back() == "SESSION_END");
  CHECK(turns_running->load() == 1);
}

TEST_CASE_METHOD(chat, "at the drain limit turns are aborted with their terminal events",
                 "[actors][session_hub]") {
  open();
  auto one = send("hi", "a");
  auto two = send("hi", "b");
  drain waits{*this, 3s};
  advance(2999ms);
  CHECK(waits.answers() == 0);
  CHECK(one->names().size() == 2);
  advance(1ms);
  CHECK(waits.answers() == 1);
  for (const auto& each : {one, two}) {
    CHECK(each->names() ==
          strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "ABORT", "SESSION_END"});
    CHECK(std::get<abort_event>(each->events.at(2)).reason == "shutdown");
  }
  CHECK(http.calls.at(0)->cancelled);
}

TEST_CASE_METHOD(chat, "a client that does not read holds a drain up for the grace time only",
                 "[actors][session_hub]") {
  open();
  auto got = stalled_client(1100);
  auto call = http.calls.at(0);
  run();
  drain waits{*this, 1s};
  advance(1s);
  CHECK(waits.answers() == 0);
  CHECK(call->cancelled);
  advance(2s);
  CHECK(waits.answers() == 1);
}

TEST_CASE_METHOD(chat, "the hub counts what it runs", "[actors][session_hub]") {
  open();
  send("hi", "a");
  send("hi", "b");
  auto now = counts();
  CHECK(now.sessions == 2);
  CHECK(now.running_turns == 2);
  CHECK(now.turns == 2);
  CHECK_FALSE(now.draining);
  answer({text_chunk("x")});
  CHECK(counts().running_turns == 1);
}

TEST_CASE_METHOD(chat, "credit and aborts for a chat that is not there do nothing",
                 "[actors][session_hub]") {
  open();
  self->send(hub, grant_credit{"nobody", 5});
  self->send(hub, abort_turn{"nobody", "", "stop"});
  self->send(hub, turn_ended{"nobody"});
  run();
  CHECK(counts().sessions == 0);
  CHECK(ends->empty());
}

TEST_CASE_METHOD(chat, "the end of the hub ends its sessions and tells their clients",
                 "[actors][session_hub]") {
  open();
  auto got = send("hi");
  crash(*this, hub);
  CHECK(got->names() == strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "SESSION_ERROR"});
  CHECK(http.calls.at(0)->cancelled);
  CHECK(ends->size() == 1);
}

} // namespace session_hub_test
