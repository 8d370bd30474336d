#include "actors/session_hub/session_hub.hpp"

#include "tests/actors/session/stored_chat.hpp"

namespace session_hub_lifetime_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

const std::vector<errc> gone{errc::none};

} // namespace

TEST_CASE_METHOD(stored_chat, "a chat that has no session has none to end",
                 "[actors][session_hub]") {
  open();
  CHECK(end_now("nobody", true) == gone);
  CHECK(end_now("nobody", false) == gone);
}

TEST_CASE_METHOD(stored_chat, "an idle session is gone when its end is answered, and loads anew",
                 "[actors][session_hub]") {
  auto aborts = GENERATE(false, true);
  open();
  turn("one");
  auto first = end("s", aborts);
  auto second = end("s", aborts);
  run();
  CHECK(*first == gone);
  CHECK(*second == gone);
  CHECK(counts().sessions == 0);
  turn("two");
  CHECK(asked("re one"));
  CHECK(kept->count("load s") == 2);
}

TEST_CASE_METHOD(stored_chat,
                 "the running turn of a deleted chat is aborted, those behind it refused",
                 "[actors][session_hub]") {
  open();
  auto running = send("one");
  auto waits = patient("two");
  auto behind = send(std::move(waits));
  run();
  CHECK(end_now("s", true) == gone);
  CHECK(behind->refused.code == errc::aborted);
  REQUIRE(running->names().size() >= 2);
  CHECK(running->names().back() == "SESSION_END");
  const auto& abort = running->events.at(running->events.size() - 2);
  CHECK(std::get<abort_event>(abort).reason == "deleted");
  CHECK(counts().sessions == 0);
  CHECK(counts().running_turns == 0);
  advance(1min);
  CHECK(turn("three")->names() == plain_turn); // nothing of it is left to end the next one
}

TEST_CASE_METHOD(stored_chat, "a turn that meets the end of its chat's session waits for the next",
                 "[actors][session_hub]") {
  open();
  auto running = send("one");
  auto ended = end("s", true);
  sched().run_once(); // who asks
  auto next = post("two");
  run();
  CHECK(*ended == gone);
  CHECK(running->names().back() == "SESSION_END");
  CHECK(next->refused.code == errc::none);
  answer({text_chunk("2")});
  CHECK(next->names() == plain_turn);
  CHECK(kept->count("load s") == 2);
  CHECK(counts().sessions == 1);
}

TEST_CASE_METHOD(stored_chat,
                 "a client that does not read holds a delete up for the grace time only",
                 "[actors][session_hub]") {
  open();
  auto slow = stalled_client(1100);
  run();
  auto ended = end("s", true);
  run();
  advance(2s);
  CHECK(*ended == gone);
  CHECK(counts().sessions == 0);
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(stored_chat, "a change during a turn is seen by the turn after it",
                 "[actors][session_hub]") {
  open();
  auto first = send("one");
  CHECK(end_now("s", false) == std::vector<errc>{errc::session_busy});
  answer({text_chunk("1")});
  CHECK(first->names() == plain_turn);
  CHECK(counts().sessions == 0);
  turn("two");
  CHECK(kept->count("load s") == 2);
  turn("three");
  CHECK(kept->count("load s") == 2);
}

TEST_CASE_METHOD(stored_chat, "a turn that was waiting sees a change during the one before it",
                 "[actors][session_hub]") {
  open();
  send("one");
  auto waits = patient("two");
  auto second = send(std::move(waits));
  run();
  end_now("s", false);
  answer({text_chunk("the first")});
  CHECK(asked("two"));
  CHECK(asked("the first"));
  CHECK(kept->count("load s") == 2);
  answer({text_chunk("2")});
  CHECK(second->names() == plain_turn);
}

TEST_CASE_METHOD(stored_chat, "the end of a session that crashes meanwhile is answered",
                 "[actors][session_hub]") {
  open();
  auto running = post("one");
  run();
  kept->silent = true; // what the abort leaves cannot be saved
  auto ended = end("s", true);
  run();
  CHECK(ended->empty());
  kept->silent = false;
  crash(*this, session);
  CHECK(*ended == gone);
  CHECK(counts().running_turns == 0);
  CHECK(turn("two")->names() == plain_turn);
}

// -- idle sessions --------------------------------------------------------------------------------

TEST_CASE_METHOD(stored_chat, "a turn that meets the idle end of its session gets what that saved",
                 "[actors][session_hub]") {
  open();
  turn("one");
  sched().advance_time(10min); // the hub has the alarm in front of the start
  auto next = post("two");
  run();
  CHECK(next->refused.code == errc::none);
  CHECK(kept->count("load s") == 2);
  CHECK(asked("re one"));
  answer({text_chunk("2")});
  CHECK(next->names() == plain_turn);
  CHECK(counts().sessions == 1);
}

TEST_CASE_METHOD(stored_chat, "of turns that meet the end of a session the first is next",
                 "[actors][session_hub]") {
  open();
  turn("one");
  sched().advance_time(10min);
  auto first = post("two");
  auto refused = post("three");
  auto third = post(patient("four"));
  run();
  CHECK(refused->refused.code == errc::session_busy);
  answer({text_chunk("2")});
  CHECK(first->names() == plain_turn);
  answer({text_chunk("4")});
  CHECK(third->names() == plain_turn);
}

TEST_CASE_METHOD(stored_chat, "a session that made room is waited for by its own next turn",
                 "[actors][session_hub]") {
  open(2);
  turn("one", "a");
  turn("one", "c");
  auto other = post("two", "b"); // "a" has to go, and
  auto next = post("two", "a");  // then "c"
  run();
  CHECK(kept->count("load a") == 2);
  CHECK(kept->count("load b") == 1);
  CHECK(next->refused.code == errc::none);
  CHECK(other->refused.code == errc::none);
  CHECK(counts().sessions == 2);
  CHECK(counts().running_turns == 2);
}

TEST_CASE_METHOD(stored_chat, "sessions that are left alone leave nothing, and come back",
                 "[actors][session_hub]") {
  constexpr int many = 500;
  open(1000);
  auto name = [](int i) { return "chat " + std::to_string(i); };
  auto before = sys.registry().running();
  for (int i = 0; i < many; ++i)
    turn("I am " + name(i), name(i));
  CHECK(counts().sessions == many);
  CHECK(sys.registry().running() == before + many);
  advance(10min);
  CHECK(counts().sessions == 0);
  CHECK(sys.registry().running() == before);
  for (int i = 0; i < many; i += 50) {
    CHECK(turn("who am I?", name(i))->names() == plain_turn);
    CHECK(asked("I am " + name(i)));
  }
}

TEST_CASE_METHOD(stored_chat, "alarms of other kinds do not multiply the idle one",
                 "[actors][session_hub]") {
  open();
  turn("one");
  send("two", "other");
  advance(1min); // the store is looked at every few seconds
  auto pending = sched().clock().schedule().size();
  advance(5min);
  CHECK(sched().clock().schedule().size() <= pending);
}

// -- by the end of the hub ------------------------------------------------------------------------

namespace {

/// Its hub ends before the session can do anything.
struct ending_hub : stored_chat {
  ending_hub() { open(); }

  /// Lets one read what it has got, and nobody else.
  template <class Handle>
  void run_only(const Handle& who) {
    REQUIRE(sched().prioritize(who));
    sched().run_once();
  }

  void end_hub() {
    caf::anon_send_exit(hub, caf::exit_reason::user_shutdown);
    run_only(hub);
    run();
  }
};

} // namespace

TEST_CASE_METHOD(ending_hub, "the end of the hub is told whose turn waits for another",
                 "[actors][session_hub]") {
  send("one");
  auto behind = send(patient("two"));
  run();
  end_hub();
  CHECK(behind->refused.code == errc::internal);
}

TEST_CASE_METHOD(ending_hub, "the end of the hub is told whose session has not begun the turn",
                 "[actors][session_hub]") {
  auto asked = post("one");
  run_only(hub);
  end_hub();
  CHECK(http.calls.empty());
  CHECK(asked->refused.code == errc::internal);
  CHECK(asked->events.empty());
}

TEST_CASE_METHOD(ending_hub, "the end of the hub is told a viewer who waits for the next session",
                 "[actors][session_hub]") {
  turn("one");
  self->send(hub, end_session{"s", false});
  run_only(hub); // its session has still to read that it is to end
  auto into = std::make_shared<received>();
  run_only(spawn_viewer(sys, {"s", "", 0, true, 0}, std::make_unique<recording_sink>(into)));
  run_only(hub);
  end_hub();
  CHECK(into->refused.code == errc::internal);
}

} // namespace session_hub_lifetime_test
