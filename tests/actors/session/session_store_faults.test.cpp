// A session whose store fails, hangs, or has become another.
#include "tests/actors/session/kept_chat.hpp"

namespace session_store_faults_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// Saves are answered when the test says so.
class faulty : public kept_chat {
public:
  faulty() {
    kept.answers_saves = false;
    open();
  }

  static errc error_of(const received& got) {
    const auto* last =
        got.events.empty() ? nullptr : std::get_if<session_error>(&got.events.back());
    return last == nullptr ? errc::none : last->error;
  }

  /// The store works again, and saves all that is asked of it.
  void recover() {
    kept.answers_saves = true;
    tell({});
  }
};

} // namespace

TEST_CASE_METHOD(faulty, "a turn whose message cannot be kept fails before the model is asked",
                 "[actors][session_store]") {
  auto got = send("hi");
  fail_save();
  CHECK(error_of(*got) == errc::store_full);
  CHECK(http.calls.empty());
  CHECK(counts().running_turns == 0);
  CHECK(kept.saves.size() == 1); // not again by itself
  SECTION("it is kept when saving works again") {
    recover();
  }
  SECTION("it is kept with the next turn") {
    auto next = send("again");
    save(); // the failed turn, and all messages
    CHECK(http.calls.empty());
    save(); // the new one
    CHECK(http.calls.size() == 1);
    CHECK(stored() == strings{"user hi", "user again"});
    return;
  }
  CHECK(stored() == strings{"user hi"});
  CHECK(last_turn().state == turn_state::failed);
  CHECK(last_turn().error.code == errc::store_full);
}

TEST_CASE_METHOD(faulty, "calls that cannot be kept are not started", "[actors][session_store]") {
  auto got = send("go");
  save();
  answer({call_chunk(0, "a", "echo", "{}")});
  fail_save();
  CHECK(error_of(*got) == errc::store_full);
  CHECK(notes->calls.empty());
  CHECK(counts().running_turns == 0);
  recover();
  CHECK(stored().size() == 3);
  CHECK(openai_fault(kept.data.load({"s"}).history) == "");
}

TEST_CASE_METHOD(faulty, "calls that run are cancelled when their turn cannot be kept",
                 "[actors][session_store]") {
  auto ask = request("go");
  ask.options.approve_all = true;
  auto got = send(std::move(ask));
  run();
  save();
  answer({call_chunk(0, "a", "echo", "{}"), call_chunk(1, "b", "echo", R"({"n":1})")});
  save();
  const auto approval = [&](size_t which) {
    for (const auto& each : got->events)
      if (const auto* found = std::get_if<tool_approval_request>(&each); found && which-- == 0)
        return found->approval_id;
    return std::string{};
  };
  self->send(hub, answer_approvals{"s", {{approval(0), true, ""}}});
  run();
  REQUIRE(notes->calls.size() == 1);
  self->send(hub, answer_approvals{"s", {{approval(1), false, ""}}});
  run();
  end_call("done"); // both results are under way
  fail_save();
  CHECK(error_of(*got) == errc::store_full);
  CHECK(http.calls.size() == 1);
  recover();
  CHECK(openai_fault(kept.data.load({"s"}).history) == "");
}

TEST_CASE_METHOD(faulty, "an answer that cannot be kept stays, and its turn fails",
                 "[actors][session_store]") {
  auto got = send("hi");
  save();
  answer({text_chunk("hello")});
  fail_save();
  CHECK(got->names() ==
        strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "TEXT", "SESSION_ERROR"});
  CHECK(error_of(*got) == errc::store_full);
  CHECK(got->numbers == numbers_from_one(4));
  CHECK(counts().running_turns == 0);
  recover();
  CHECK(stored() == strings{"user hi", "assistant hello"});
  CHECK(last_turn().state == turn_state::failed);
  CHECK(kept.saves.back().report.requests.size() == 1);
  CHECK(kept.waiting.empty());
  kept.answers_saves = true;
  auto next = send("more");
  answer({text_chunk("ok")});
  CHECK(next->names() == plain_turn);
  CHECK(counts().running_turns == 0);
  CHECK(stored().size() == 4);
}

TEST_CASE_METHOD(faulty, "an abort that cannot be kept is told as a failure",
                 "[actors][session_store]") {
  auto got = send("hi");
  save();
  self->send(hub, abort_turn{"s", "", "stop"});
  run();
  fail_save();
  CHECK(error_of(*got) == errc::store_full);
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(faulty, "what a store does not answer counts as failed when the hub says so",
                 "[actors][session_store]") {
  auto got = send("hi");
  tell({errc::store_timeout, ""});
  CHECK(error_of(*got) == errc::store_timeout);
  CHECK(counts().running_turns == 0);
  save(); // the late answer
  CHECK(got->names().size() == 3);
  recover();
  CHECK(kept.saves.size() == 2);
  CHECK(kept.saves[1].keep == 0);
  CHECK(stored() == strings{"user hi"});
  tell({errc::store_timeout, ""}); // nothing waits
  CHECK(kept.saves.size() == 2);
}

TEST_CASE_METHOD(faulty, "a turn without a store fails", "[actors][session_store]") {
  SECTION("before it is loaded") {
    sys.registry().erase(conversation_store_name);
    auto got = send("hi");
    CHECK(got->refused.code == errc::store_failed);
  }
  SECTION("in the middle") {
    auto got = send("hi");
    save();
    sys.registry().erase(conversation_store_name);
    answer({text_chunk("hello")});
    CHECK(error_of(*got) == errc::store_failed);
  }
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(faulty, "a session with something unsaved stays when it is told to expire",
                 "[actors][session_store]") {
  send("hi");
  fail_save();
  self->send(caf::actor_cast<session_actor>(kept.session), atom::expire_v);
  run();
  recover();
  CHECK(stored() == strings{"user hi"});
}

TEST_CASE_METHOD(faulty, "a conversation that was changed refuses the turn and is loaded again",
                 "[actors][session_store]") {
  send("hi");
  save();
  answer({text_chunk("hello")});
  save();
  auto known = kept.data.load({"s"}).version;
  auto ask = request("more");
  ask.if_version = known + 1; // not of this session's making
  save_chat other;
  other.session_id = "s";
  other.more.push_back(message(role::user, "from elsewhere", "x"));
  auto got = send(std::move(ask));
  run();
  CHECK(kept.saves.back().if_version == known + 1);
  kept.data.save(other);
  kept.waiting.front().first.if_version = known;
  save();
  CHECK(error_of(*got) == errc::conversation_changed);
  CHECK(counts().running_turns == 0);
  CHECK(http.calls.size() == 1);
  kept.answers_saves = true;
  send("again");
  CHECK(kept.loads == 2);
  CHECK(contains(body(), "from elsewhere"));
  CHECK_FALSE(contains(body(), "more"));
  CHECK(stored() == strings{"user from elsewhere", "user again"});
}

TEST_CASE_METHOD(faulty, "a chat that came while its first turn began is not replaced",
                 "[actors][session_store]") {
  auto ask = request("hi");
  ask.options.resumable = true; // brings nothing with the question for the chat
  auto got = send(std::move(ask));
  run();
  REQUIRE(kept.saves.size() == 1);
  SECTION("at once") {}
  SECTION("after a save that was not done") {
    fail_save();
    CHECK(error_of(*got) == errc::store_full);
    got = send("more");
    REQUIRE(kept.saves.size() == 2);
  }
  put({message(role::user, "imported", "x")});
  save();
  CHECK(error_of(*got) == errc::conversation_changed);
  CHECK(http.calls.empty());
  kept.answers_saves = true;
  send("again");
  CHECK(contains(body(), "imported"));
  CHECK(stored() == strings{"user imported", "user again"});
}

TEST_CASE_METHOD(faulty, "a chat that began with a save that nobody heard of again goes on",
                 "[actors][session_store]") {
  auto ask = request("hi");
  ask.options.resumable = true; // brings nothing with the question for the chat
  auto got = send(std::move(ask));
  run();
  tell({errc::store_timeout, ""});
  CHECK(error_of(*got) == errc::store_timeout);
  save(); // it was done after all
  tell({});
  while (!kept.waiting.empty())
    save();
  CHECK(last_turn().state == turn_state::failed);
  kept.answers_saves = true;
  got = send("more");
  answer({text_chunk("ok")});
  CHECK(got->names() == plain_turn);
  CHECK(stored() == strings{"user hi", "user more", "assistant ok"});
  CHECK(kept.loads == 1);
}

TEST_CASE_METHOD(faulty, "a version that the session knows to be old refuses the turn",
                 "[actors][session_store]") {
  kept.answers_saves = true;
  send("hi");
  answer({text_chunk("hello")});
  auto ask = request("more");
  ask.if_version = 1;
  auto got = send(std::move(ask));
  run();
  CHECK(got->refused.code == errc::conversation_changed);
  CHECK(counts().running_turns == 0);
  ask = request("more");
  ask.if_version = kept.data.load({"s"}).version;
  got = send(std::move(ask));
  run();
  CHECK(got->refused.code == errc::none);
  CHECK(http.calls.size() == 2);
}

} // namespace session_store_faults_test
