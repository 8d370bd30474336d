// What the session hub does about a store of conversations that fails, hangs or crashes.
#include "actors/session_hub/session_hub.hpp"

#include "tests/actors/session/draining_hub.hpp"
#include "tests/actors/session/stored_chat.hpp"

namespace session_hub_store_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

struct broken_store : stored_chat {
  /// The error that a turn ended with, or was refused with.
  static errc error_of(const got& one) {
    if (one->events.empty())
      return one->refused.code;
    const auto* error = std::get_if<session_error>(&one->events.back());
    return error != nullptr ? error->error : errc::none;
  }

  /// A turn whose end could not be saved: its session has something unsaved.
  got unsaved_turn(const std::string& id = "s") {
    auto made = send("keep me", id);
    kept->error = {errc::store_full, ""};
    answer({text_chunk("kept?")});
    return made;
  }
};

} // namespace

TEST_CASE_METHOD(broken_store, "a turn does not wait for a store that crashed",
                 "[actors][session_hub]") {
  open();
  kept->silent = true;
  auto loading = send("one");
  CHECK(loading->refused.code == errc::none);
  kept->silent = false;
  auto saving = send("two", "other");
  kept->silent = true;
  answer({text_chunk("2")});
  CHECK(counts().running_turns == 2);
  restart_store();
  CHECK(error_of(loading) == errc::store_failed);
  CHECK(error_of(saving) == errc::store_failed);
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(broken_store, "nor for one that says nothing for half a minute",
                 "[actors][session_hub]") {
  open();
  kept->silent = true;
  auto got_none = send("one");
  for (int i = 0; i < 34; ++i) // five until it is looked at
    advance(1s);
  CHECK(counts().running_turns == 1);
  advance(1s);
  CHECK(error_of(got_none) == errc::store_timeout);
  CHECK(counts().running_turns == 0);
  CHECK(kept->count("status") == 1); // one question at a time
}

TEST_CASE_METHOD(broken_store, "a store that is slow but answers is waited for",
                 "[actors][session_hub]") {
  open();
  kept->silent = true;
  send("one");
  for (int i = 0; i < 12; ++i) {
    advance(5s);
    self->send(store, atom::tick_v);
    run();
  }
  CHECK(counts().running_turns == 1);
  CHECK(kept->count("status") > 10);
}

TEST_CASE_METHOD(broken_store, "nobody looks at the store when no turn runs",
                 "[actors][session_hub]") {
  open();
  turn("one");
  advance(10s);
  auto before = kept->count("status");
  advance(5min);
  CHECK(kept->count("status") == before);
  send("two");
  advance(5s);
  CHECK(kept->count("status") > before);
}

TEST_CASE_METHOD(broken_store, "without a store nobody looks for one", "[actors][session_hub]") {
  settings.keeps = false;
  open();
  send("one");
  advance(1min);
  CHECK(kept->log.empty());
  CHECK(view()->events.size() == 2);
  answer({text_chunk("1")});
  CHECK(view()->refused.code == errc::turn_not_running);
  CHECK(kept->log.empty());
}

TEST_CASE_METHOD(broken_store, "a session with something unsaved stays until that is saved",
                 "[actors][session_hub]") {
  open();
  CHECK(error_of(unsaved_turn()) == errc::store_full);
  advance(1h);
  CHECK(counts().sessions == 1);
  CHECK(kept->chats["s"].history.size() == 1);
  kept->error = {};
  advance(5s);
  CHECK(kept->chats["s"].history.size() == 2);
  advance(10min);
  CHECK(counts().sessions == 0);
  auto before = kept->log.size();
  advance(1h);
  CHECK(kept->log.size() == before);
}

TEST_CASE_METHOD(broken_store, "what is unsaved is saved soon after the store is there again",
                 "[actors][session_hub]") {
  open();
  unsaved_turn();
  kept->error = {};
  restart_store();
  advance(250ms);
  CHECK(kept->chats["s"].history.size() == 2);
}

TEST_CASE_METHOD(broken_store, "sessions with something unsaved make no room and are bounded",
                 "[actors][session_hub]") {
  open(2);
  unsaved_turn("a");
  kept->error = {};
  send("hi", "b");
  CHECK(send("hi", "c")->refused.code == errc::too_many_sessions);
  CHECK(send("more", "a")->refused.code == errc::none); // its own chat goes on
  CHECK(counts().sessions == 2);
}

TEST_CASE_METHOD(broken_store, "a chat that is deleted does not wait until it is saved",
                 "[actors][session_hub]") {
  open();
  unsaved_turn();
  CHECK(end_now("s", false) == std::vector<errc>{errc::session_busy});
  CHECK(counts().sessions == 1);
  CHECK(end_now("s", true) == std::vector<errc>{errc::none});
  CHECK(counts().sessions == 0);
}

TEST_CASE_METHOD(broken_store, "a stale session ends as soon as it has saved",
                 "[actors][session_hub]") {
  open();
  unsaved_turn();
  end_now("s", false);
  kept->error = {};
  advance(5s);
  CHECK(counts().sessions == 0);
  CHECK(kept->chats["s"].history.size() == 2);
}

TEST_CASE_METHOD(broken_store, "the news that all is saved does not end the turn that it crosses",
                 "[actors][session_hub]") {
  open();
  post("zero");
  run();
  answer({text_chunk("0")});
  unsaved_turn();
  kept->error = {};
  auto next = post("two");
  caf::send_as(session, hub, chat_saved{"s"}); // as it would have sent it
  run();
  CHECK(counts().running_turns == 1);
}

TEST_CASE_METHOD(broken_store, "what a crashed session said last ends no turn of the next one",
                 "[actors][session_hub]") {
  open();
  post("one");
  run();
  auto crashed = session;
  crash(*this, crashed);
  post("two");
  run();
  CHECK(counts().running_turns == 1);
  caf::send_as(crashed, hub, turn_ended{"s"});
  run();
  CHECK(counts().running_turns == 1);
  caf::send_as(session, hub, turn_ended{"s"});
  run();
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(broken_store, "an idle session whose last save fails on its way stays",
                 "[actors][session_hub]") {
  settings.waits_saved = false;
  settings.chats.session_idle = 10s;
  open();
  send("one");
  kept->silent = true;
  answer({text_chunk("1")});
  CHECK(counts().running_turns == 0);
  for (int i = 0; i < 4; ++i) // it cannot end: nobody knows how its last save went
    advance(5s);
  CHECK(counts().sessions == 1);
  CHECK(kept->chats["s"].history.size() == 1);
  kept->silent = false;
  restart_store();
  advance(5s);
  CHECK(kept->chats["s"].history.size() == 2);
  advance(10min);
  CHECK(counts().sessions == 0);
}

TEST_CASE_METHOD(broken_store, "a drain waits for saves that no turn has waited for",
                 "[actors][session_hub]") {
  settings.waits_saved = false;
  open();
  send("one");
  kept->silent = true;
  answer({text_chunk("1")});
  drain waits{*this, 10s};
  CHECK(waits.answers() == 0);
  kept->silent = false;
  restart_store();
  advance(1s);
  CHECK(waits.answers() == 1);
  CHECK(kept->chats["s"].history.size() == 2);
  CHECK(kept->chats["s"].last_turn.state == turn_state::ended);
}

TEST_CASE_METHOD(broken_store, "a drain gives a store that fails two seconds",
                 "[actors][session_hub]") {
  open();
  unsaved_turn();
  drain waits{*this, 30s};
  CHECK(waits.answers() == 0);
  advance(2s);
  CHECK(waits.answers() == 1);
}

TEST_CASE_METHOD(broken_store, "a drain waits for an idle session that is on its way out",
                 "[actors][session_hub]") {
  settings.waits_saved = false;
  settings.chats.session_idle = 1s;
  open();
  send("one");
  answer({text_chunk("1")});
  advance(1s);
  drain waits{*this, 10s};
  CHECK(waits.answers() == 1);
  CHECK(counts().sessions == 0);
}

} // namespace session_hub_store_test
