#include "actors/session/session.hpp"

#include "tests/actors/session/watched_chat.hpp"

namespace session_log_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE_METHOD(watched_chat, "no viewer of a resumable turn slows it down", "[actors][session]") {
  open();
  auto what = resumable("go");
  auto owner = std::make_shared<received>();
  owner->wants_more = false;
  spawn_subscriber(sys, std::move(what), std::make_unique<recording_sink>(owner));
  run();
  http.calls.at(0)->head(200, "text/event-stream");
  auto slow = view({}, false);
  auto quick = view();
  say(0, 2000);
  CHECK(http.calls.at(0)->paused == 0);
  CHECK(quick->events.size() == 2002);
  CHECK(slow->events.size() == 1024);
  finish();
  CHECK(quick->names().back() == "SESSION_END");
  CHECK(counts().running_turns == 0);
  auto next = send("next"); // while two have still to get the end of the first
  answer({text_chunk("other")});
  CHECK(text_of(next) == "other");
  for (const auto& each : {owner, slow}) {
    CHECK(each->events.size() == 1024);
    each->wants_more = true;
    each->signal(response_signal::drained);
    run();
    check_same(each, quick);
  }
}

TEST_CASE_METHOD(watched_chat, "a slow viewer of another turn does not slow it down either",
                 "[actors][session]") {
  open();
  auto owner = open_turn(request("go"));
  auto slow = view({}, false);
  say(0, 2000);
  CHECK(http.calls.at(0)->paused == 0);
  CHECK(slow->events.size() == 1024);
  finish();
  CHECK(counts().running_turns == 0);
  slow->wants_more = true;
  slow->signal(response_signal::drained);
  run();
  check_same(slow, owner);
}

TEST_CASE_METHOD(watched_chat, "a turn that cannot be kept for resuming ends with its limit",
                 "[actors][session]") {
  settings.chats.max_log_bytes = 4000;
  open();
  auto owner = open_turn(resumable("go"));
  for (int i = 0; i < 20 && !http.calls.at(0)->cancelled; ++i)
    say(0, 100);
  CHECK(http.calls.at(0)->cancelled);
  CHECK(owner->names().back() == "SESSION_ERROR");
  CHECK(std::get<session_error>(owner->events.back()).error == errc::turn_limit_reached);
  check_same(view_ended(), owner);
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(watched_chat, "of other turns only the end is kept, and latecomers are refused",
                 "[actors][session]") {
  settings.chats.max_log_bytes = 4000;
  open();
  auto owner = open_turn(request("go"));
  auto first = view();
  say(0, 1500);
  CHECK(view()->refused.code == errc::turn_not_running);
  auto back = view({"", "", 1502, false, 0});
  CHECK(back->refused.code == errc::none);
  say(1500, 1600);
  finish();
  CHECK(owner->names().back() == "SESSION_END");
  check_same(first, owner);
  CHECK(back->numbers.front() == 1503);
  CHECK(back->numbers.back() == 1604);
}

TEST_CASE_METHOD(watched_chat, "the model waits for a slow viewer rather than lose its events",
                 "[actors][session]") {
  settings.chats.max_log_bytes = 4000;
  open();
  auto owner = open_turn(request("go"));
  auto slow = view({}, false);
  say(0, 2000);
  CHECK(http.calls.at(0)->paused == 1);
  SECTION("it reads on") {
    slow->wants_more = true;
    slow->signal(response_signal::drained);
    run();
    CHECK(http.calls.at(0)->resumed == 1);
  }
  SECTION("it leaves") {
    leave(slow);
    CHECK(http.calls.at(0)->resumed == 1);
  }
  finish();
  CHECK(owner->names().back() == "SESSION_END");
}

TEST_CASE_METHOD(watched_chat, "a session that crashes is told every viewer once",
                 "[actors][session]") {
  open();
  auto owner = open_turn(resumable("go"));
  auto other = view();
  crash(*this, hub);
  for (const auto& each : {owner, other})
    CHECK(each->names() == strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "SESSION_ERROR"});
}

TEST_CASE_METHOD(watched_chat, "a session that expires does not leave a slow viewer waiting",
                 "[actors][session]") {
  open();
  open_turn(resumable("go"));
  auto slow = view({}, false);
  say(0, 2000);
  finish();
  advance(10min);
  CHECK(counts().sessions == 0);
  CHECK(slow->events.size() == 1025);
  CHECK(slow->names().back() == "SESSION_ERROR");
  CHECK(slow->numbers == numbers_from_one(1025));
}

} // namespace session_log_test
