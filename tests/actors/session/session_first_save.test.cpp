// The first turn of a chat that is new: what is kept of it first goes to the store with the
// question whether there is such a chat.
#include <chrono>

#include "tests/actors/session/kept_chat.hpp"

namespace session_first_save_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Returns when the wall clock shows another millisecond than before.
void next_millisecond() {
  using std::chrono::system_clock;
  auto shown = [] { return std::chrono::floor<std::chrono::milliseconds>(system_clock::now()); };
  for (auto before = shown(); shown() == before;) {
  }
}

/// Loads are answered when the test says so.
class beginning : public kept_chat {
public:
  beginning() {
    kept.answers_loads = false;
    kept.takes_first = true;
    open();
  }

  const save_chat& brought() const { return kept.loading.back().first.first; }

  /// As send(), which runs nothing where it is given a request.
  auto begin(turn_request what) {
    auto into = send(std::move(what));
    run();
    return into;
  }
  auto begin(const std::string& text, const std::string& turn_id) {
    auto made = request(text);
    made.turn_id = turn_id;
    return begin(std::move(made));
  }
};

} // namespace

TEST_CASE_METHOD(beginning, "a new chat waits for the store once before its model is asked",
                 "[actors][session_first_save]") {
  auto got = begin("hi", "t1");
  CHECK(http.calls.empty());
  next_millisecond(); // or a row that is made anew would have the same time
  load();
  CHECK(http.calls.size() == 1);
  CHECK(kept.saves.empty());
  CHECK(stored() == strings{"user hi"});
  CHECK(last_turn().turn_id == "t1");
  CHECK(last_turn().state == turn_state::running);
  auto started = last_turn().started_ms;
  answer({text_chunk("ok")});
  CHECK(got->names() == plain_turn);
  REQUIRE(kept.saves.size() == 1);
  CHECK(kept.saves[0].keep == 1);
  CHECK(kept.saves[0].turn.started_ms == started);
  CHECK(stored() == strings{"user hi", "assistant ok"});
  CHECK(last_turn().state == turn_state::ended);
  send("more");
  CHECK(kept.loads == 1);
  CHECK(contains(body(), "ok"));
}

TEST_CASE_METHOD(beginning, "messages have the ids with which they were brought",
                 "[actors][session_first_save]") {
  send("hi");
  auto first = brought();
  load();
  answer({text_chunk("ok")});
  auto now = kept.data.load({"s"});
  REQUIRE(now.history.size() == 2);
  REQUIRE(first.more.size() == 1);
  CHECK_FALSE(first.more[0].id.empty());
  CHECK(now.history[0].id == first.more[0].id);
  CHECK(now.history[1].id == first.turn.message_id);
}

TEST_CASE_METHOD(beginning, "a chat that is there after all keeps what it has",
                 "[actors][session_first_save]") {
  put({message(role::user, "hi", "u1"), message(role::assistant, "hello", "a1")});
  send("more");
  CHECK_FALSE(brought().session_id.empty());
  load();
  CHECK(contains(body(), "hello"));
  answer({text_chunk("ok")});
  CHECK(stored() == strings{"user hi", "assistant hello", "user more", "assistant ok"});
  CHECK(kept.saves.front().keep == 2);
}

TEST_CASE_METHOD(beginning, "only what users have written is brought with the load",
                 "[actors][session_first_save]") {
  auto ask = request("hi");
  SECTION("a resumable turn has events to keep") {
    ask.options.resumable = true;
  }
  SECTION("a version is asked for") {
    ask.if_version = 3;
  }
  SECTION("an answer is cut off") {
    ask.cut_at = "m1";
  }
  SECTION("the client brings answers") {
    ask.replaces_history = true;
    ask.messages.push_back(message(role::assistant, "hello", "a1"));
    ask.messages.push_back(message(role::user, "more", "u2"));
  }
  SECTION("a message of the client's chat has no id") {
    ask.replaces_history = true;
    ask.messages[0].id.clear();
  }
  SECTION("there is no such model") {
    ask.options.model = "nobody";
  }
  begin(std::move(ask));
  CHECK(brought().session_id.empty());
  load();
  CHECK(kept.loads == 1);
}

TEST_CASE_METHOD(beginning, "a client that leaves while its new chat is kept takes its turn along",
                 "[actors][session_first_save]") {
  auto got = send("hi");
  got->signal(response_signal::gone);
  run();
  load();
  CHECK(http.calls.empty());
  CHECK(counts().running_turns == 0);
  CHECK(stored() == strings{"user hi"});
  CHECK(last_turn().state == turn_state::aborted);
}

TEST_CASE_METHOD(beginning, "a turn that is aborted while its new chat is kept ends in order",
                 "[actors][session_first_save]") {
  auto got = begin("hi", "t1");
  self->send(hub, abort_turn{"s", "t1", "stop"});
  run();
  load();
  CHECK(http.calls.empty());
  CHECK(got->names() == strings{"SESSION_START", "ABORT", "SESSION_END"});
  CHECK(last_turn().state == turn_state::aborted);
}

TEST_CASE_METHOD(beginning, "a late answer does not make a chat new that has begun since",
                 "[actors][session_first_save]") {
  kept.answers_saves = false;
  auto ask = request("hi");
  ask.options.resumable = true;
  begin(std::move(ask));
  tell({errc::store_timeout, ""});
  auto second = begin("again", "t2");
  load(); // of the first turn, whose question brought nothing: nobody waits for it
  CHECK(http.calls.empty());
  load(); // the second one is kept
  CHECK(kept.saves.empty());
  CHECK(http.calls.size() == 1);
  CHECK(stored() == strings{"user again"});
  CHECK(second->names() == strings{"SESSION_START", "MODEL_RESPONSE_WAITING"});
}

TEST_CASE_METHOD(beginning, "the late answer to a turn that was given up begins no other",
                 "[actors][session_first_save]") {
  auto first = begin("hi", "t1");
  tell({errc::store_timeout, ""});
  CHECK(first->refused.code == errc::store_timeout);
  auto second = begin("again", "t2");
  load(); // the first one, which is kept now
  CHECK(http.calls.empty());
  load();
  REQUIRE(http.calls.size() == 1);
  CHECK(contains(body(), "hi"));
  CHECK(contains(body(), "again"));
  answer({text_chunk("ok")});
  CHECK(stored() == strings{"user hi", "user again", "assistant ok"});
  CHECK(second->names() == plain_turn);
}

} // namespace session_first_save_test
