// Turns of one owner, and aborts that come early.
#include "actors/session_hub/session_hub.hpp"

#include "messages/chat/session_id.hpp"
#include "tests/actors/session/stored_chat.hpp"

namespace session_hub_limits_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

// -- turns of one owner ---------------------------------------------------------------------------

TEST_CASE_METHOD(stored_chat, "an owner has so many turns at once, others have theirs",
                 "[actors][session_hub]") {
  open();
  auto limited = [](const std::string& owner, const std::string& id) {
    auto made = request("hi", scoped_id(owner, id));
    made.concurrent_turns = 2;
    return made;
  };
  auto ask = [&](const std::string& owner, const std::string& id) {
    auto into = post(limited(owner, id));
    run();
    return into;
  };
  ask("ann", "1");
  ask("ann", "2");
  auto sessions = counts().sessions;
  CHECK(ask("ann", "3")->refused.code == errc::too_many_turns);
  CHECK(counts().sessions == sessions); // nobody had to make room
  CHECK(ask("bob", "1")->refused.code == errc::none);
  CHECK(ask("", "1")->refused.code == errc::none);
  http.calls.at(0)->stream({text_chunk("x")});
  run();
  CHECK(ask("ann", "3")->refused.code == errc::none);
}

TEST_CASE_METHOD(stored_chat, "a turn that waited is refused when its owner has too many by then",
                 "[actors][session_hub]") {
  open();
  auto limited = [](const std::string& id, uint32_t most) {
    auto made = request("hi", scoped_id("ann", id));
    made.options.when_busy = busy_policy::wait;
    made.concurrent_turns = most;
    return made;
  };
  auto first = post(limited("1", 2));
  auto waits = post(limited("1", 1));
  auto behind = post(limited("1", 2));
  post(limited("2", 2));
  run();
  CHECK(waits->refused.code == errc::none);
  http.calls.at(0)->stream({text_chunk("x")});
  run();
  CHECK(first->names() == plain_turn);
  CHECK(waits->refused.code == errc::too_many_turns);
  CHECK(behind->refused.code == errc::none);
  CHECK(counts().running_turns == 2);
}

// -- aborts that come early -----------------------------------------------------------------------

TEST_CASE_METHOD(stored_chat, "a stop that overtakes its turn holds, whether it names it or not",
                 "[actors][session_hub]") {
  auto id = GENERATE("", "the turn");
  kept->silent = GENERATE(false, true); // loaded at once, or still loading until that is given up
  open();
  auto what = request("go");
  what.turn_id = "the turn";
  auto turn_of_it = post(std::move(what));
  caf::anon_send<caf::message_priority::high>(hub, abort_turn{"s", id, "stop"});
  run();
  for (int i = 0; kept->silent && i < 8; ++i) {
    sched().advance_time(5s);
    run();
  }
  auto stopped = turn_of_it->refused.code == errc::aborted ||
                 (!turn_of_it->names().empty() && turn_of_it->names().back() == "SESSION_END");
  CHECK(stopped);
  CHECK(counts().running_turns == 0);
  for (const auto& each : http.calls)
    CHECK(each->cancelled);
}

TEST_CASE_METHOD(stored_chat, "a stop without an id is for the turn that waits for its session",
                 "[actors][session_hub]") {
  open();
  turn("one");
  sched().advance_time(10min);
  auto next = post("two");
  caf::anon_send(hub, abort_turn{"s", "", "stop"});
  run();
  CHECK(next->refused.code == errc::aborted);
  CHECK(counts().sessions == 0);
}

} // namespace session_hub_limits_test
