#include "actors/session/session.hpp"

#include "tests/actors/session/watched_chat.hpp"

namespace session_viewers_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE_METHOD(watched_chat, "a viewer gets what was and what comes, as the owner did",
                 "[actors][session]") {
  open();
  auto what = GENERATE(false, true) ? resumable("go") : request("go");
  auto owner = open_turn(std::move(what));
  say(0, 3);
  auto late = view();
  CHECK(late->events.size() == 5);
  say(3, 5);
  auto later = view();
  finish();
  CHECK(owner->names().back() == "SESSION_END");
  CHECK(text_of(owner) == "01234");
  check_same(owner, late);
  check_same(owner, later);
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(watched_chat, "a viewer goes on after the last number it has",
                 "[actors][session]") {
  open();
  auto owner = open_turn(request("go"));
  say(0, 3);
  auto some = view({"", "", 4, false, 0});
  auto none = view({"", "", 5, false, 0});
  CHECK(some->numbers == std::vector<uint64_t>{5});
  CHECK(none->events.empty());
  CHECK(none->refused.code == errc::none);
  SECTION("a number that this turn has not reached is of another turn: all of this one") {
    auto other = view({"", "", 100, false, 0});
    finish();
    check_same(other, owner);
  }
  SECTION("both go on") {
    say(3, 4);
    finish();
    CHECK(some->numbers == std::vector<uint64_t>{5, 6, 7, 8});
    CHECK(none->numbers == std::vector<uint64_t>{6, 7, 8});
  }
}

TEST_CASE_METHOD(watched_chat, "there is nothing to view without a turn, or in another one",
                 "[actors][session]") {
  open();
  CHECK(view()->refused.code == errc::turn_not_running);
  CHECK(view_ended()->refused.code == errc::turn_not_running);
  auto owner = open_turn(request("go"));
  CHECK(view({"", "turn_other", 0, true, 0})->refused.code == errc::turn_not_running);
  finish();
  CHECK(owner->names().back() == "SESSION_END");
  CHECK(view()->refused.code == errc::turn_not_running);
  CHECK(view_ended()->refused.code == errc::turn_not_running);
}

TEST_CASE_METHOD(watched_chat, "a resumable turn is replayed after its end until the next begins",
                 "[actors][session]") {
  open();
  auto owner = open_turn(resumable("go"));
  say(0, 2);
  finish();
  check_same(view_ended(), owner);
  CHECK(view_ended(5)->numbers == std::vector<uint64_t>{6});
  CHECK(view_ended(6)->refused.code == errc::turn_not_running);
  CHECK(view()->refused.code == errc::turn_not_running);
  open_turn(request("next"));
  auto next = view_ended();
  CHECK(next->numbers == std::vector<uint64_t>{1, 2});
  finish();
  CHECK(view_ended()->refused.code == errc::turn_not_running);
}

TEST_CASE_METHOD(watched_chat, "an owner that leaves aborts its turn, and the viewers see it",
                 "[actors][session]") {
  open();
  auto owner = open_turn(request("go"));
  auto other = view();
  say(0, 1);
  leave(owner);
  CHECK(http.calls.at(0)->cancelled);
  CHECK(other->names() ==
        strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "TEXT", "ABORT", "SESSION_END"});
  CHECK(std::get<abort_event>(other->events.at(3)).reason == "client");
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(watched_chat, "viewers that leave or crash change nothing", "[actors][session]") {
  open();
  auto owner = open_turn(request("go"));
  auto other = view();
  say(0, 1);
  leave(other);
  say(1, 2);
  finish();
  CHECK(text_of(owner) == "01");
  CHECK(text_of(other) == "0");
  CHECK(owner->names().back() == "SESSION_END");
}

TEST_CASE_METHOD(watched_chat, "a resumable turn goes on without anybody and is there afterwards",
                 "[actors][session]") {
  open();
  auto owner = open_turn(resumable("go"));
  say(0, 1);
  leave(owner);
  CHECK_FALSE(http.calls.at(0)->cancelled);
  CHECK(counts().running_turns == 1);
  say(1, 3);
  auto back = view();
  say(3, 4);
  leave(back);
  finish();
  CHECK(counts().running_turns == 0);
  auto after = view_ended();
  CHECK(text_of(after) == "0123");
  CHECK(after->numbers == numbers_from_one(8));
  send("and now?");
  CHECK(contains(http.calls.back()->request.body, "0123"));
}

TEST_CASE_METHOD(watched_chat, "an owner that was gone before the turn began: the same",
                 "[actors][session]") {
  open();
  auto owner = send(resumable("go"));
  sched().run_once(); // the subscriber
  owner->signal(response_signal::gone);
  run();
  CHECK(counts().running_turns == 1);
  answer({text_chunk("done")});
  CHECK(text_of(view_ended()) == "done");
}

TEST_CASE_METHOD(watched_chat, "stop ends a resumable turn, whoever views it",
                 "[actors][session]") {
  open();
  auto owner = open_turn(resumable("go"));
  auto other = view();
  leave(owner);
  self->send(hub, abort_turn{"s", "", "stop"});
  run();
  CHECK(http.calls.at(0)->cancelled);
  CHECK(other->names().back() == "SESSION_END");
  CHECK(view_ended()->names().at(2) == "ABORT");
}

} // namespace session_viewers_test
