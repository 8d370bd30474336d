// A session that has its chat from the store, and what comes before that is there.
#include "tests/actors/session/kept_chat.hpp"

namespace session_load_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// Loads are answered when the test says so.
class loading : public kept_chat {
public:
  loading() {
    kept.answers_loads = false;
    put({message(role::user, "hi", "u1"), message(role::assistant, "hello", "a1")});
    open();
  }

  static turn_request resumable(const std::string& text) {
    auto made = request(text);
    made.options.resumable = true;
    return made;
  }
};

} // namespace

TEST_CASE_METHOD(loading, "a session's first turn goes on with what the store has",
                 "[actors][session_load]") {
  auto got = send("more");
  CHECK(kept.loads == 1);
  CHECK(got->events.empty());
  CHECK(http.calls.empty());
  load();
  CHECK(contains(body(), "hello"));
  REQUIRE(kept.saves.size() == 1);
  CHECK(kept.saves[0].keep == 2);
  CHECK(kept.saves[0].more.size() == 1);
  answer({text_chunk("ok")});
  CHECK(got->names() == plain_turn);
  CHECK(got->numbers == numbers_from_one(5));
  send("and more");
  CHECK(kept.loads == 1);
  CHECK(http.calls.size() == 2);
}

TEST_CASE_METHOD(loading,
                 "a chat that cannot be loaded refuses the turn, and is loaded for the next",
                 "[actors][session_load]") {
  auto got = send("more");
  SECTION("the store says so") {
    kept.error = {errc::store_damaged, "broken"};
    load();
    CHECK(got->refused.code == errc::store_damaged);
    CHECK(got->refused.message == "broken");
    kept.error = {};
  }
  SECTION("the store does not answer") {
    tell({errc::store_timeout, ""});
    CHECK(got->refused.code == errc::store_timeout);
    load(); // too late
    CHECK(http.calls.empty());
  }
  CHECK(counts().running_turns == 0);
  CHECK(kept.saves.empty());
  send("again");
  load();
  CHECK(contains(body(), "hello"));
}

TEST_CASE_METHOD(loading, "a turn that is aborted while its chat is loaded ends when it is",
                 "[actors][session_load]") {
  auto ask = request("more");
  ask.turn_id = "t1";
  auto got = send(std::move(ask));
  run();
  self->send(hub, abort_turn{"s", "t2", "stop"});
  run();
  CHECK(got->refused.code == errc::none);
  self->send(hub, abort_turn{"s", GENERATE(as<std::string>{}, "", "t1"), "stop"});
  run();
  CHECK(got->events.empty());
  load();
  CHECK(got->names() == std::vector<std::string>{"SESSION_START", "ABORT", "SESSION_END"});
  CHECK(counts().running_turns == 0);
  CHECK(http.calls.empty());
  REQUIRE_FALSE(kept.saves.empty());
  CHECK(kept.saves.back().turn.state == turn_state::aborted);
  send("again");
  CHECK(kept.loads == 1);
  CHECK(contains(body(), "hello"));
  CHECK(contains(body(), "more"));
}

TEST_CASE_METHOD(loading, "a client that leaves while its chat is loaded takes its turn along",
                 "[actors][session_load]") {
  auto got = send("more");
  got->signal(response_signal::gone);
  run();
  load();
  CHECK(counts().running_turns == 0);
  CHECK(http.calls.empty());
  CHECK(kept.saves.empty());
}

TEST_CASE_METHOD(loading, "a client that leaves takes a turn along of which the store has nothing",
                 "[actors][session_load]") {
  auto ask = request("more");
  ask.if_version = 1;
  auto got = send(std::move(ask));
  run();
  got->signal(response_signal::gone);
  run();
  CHECK(counts().running_turns == 0);
  load();
  CHECK(http.calls.empty());
  CHECK(kept.saves.empty());
}

TEST_CASE_METHOD(loading, "a resumable turn begins though its client has left",
                 "[actors][session_load]") {
  auto got = send(resumable("more"));
  run();
  got->signal(response_signal::gone);
  run();
  CHECK(counts().running_turns == 1);
  load();
  REQUIRE(http.calls.size() == 1);
  answer({text_chunk("ok")});
  CHECK(counts().running_turns == 0);
  CHECK(stored().back() == "assistant ok");
}

TEST_CASE_METHOD(loading, "credit that comes while the chat is loaded counts",
                 "[actors][session_load]") {
  std::vector<event_batch> batches;
  auto client = sys.spawn([&](subscriber_actor::pointer) {
    return subscriber_actor::behavior_type{
        [&](const event_batch& batch) { batches.push_back(batch); }, [](const turn_refused&) {},
        [](const client_signal&) {}};
  });
  caf::send_as(caf::actor_cast<caf::actor>(client), hub, start_turn{request("more"), 0});
  run();
  caf::send_as(caf::actor_cast<caf::actor>(client), hub, grant_credit{"s", 1});
  run();
  load();
  REQUIRE(batches.size() == 1);
  CHECK(batches[0].events.size() == 1);
  caf::anon_send_exit(client, caf::exit_reason::kill);
  run();
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(loading, "who wants to see the turn while the chat is loaded gets it",
                 "[actors][session_load]") {
  auto got = send("more");
  auto view = std::make_shared<received>();
  spawn_viewer(sys, {"s", "", 0, false, 0}, std::make_unique<recording_sink>(view));
  auto other = std::make_shared<received>();
  spawn_viewer(sys, {"s", "another turn", 0, false, 0}, std::make_unique<recording_sink>(other));
  run();
  load();
  answer({text_chunk("ok")});
  CHECK(view->names() == plain_turn);
  CHECK(other->refused.code == errc::turn_not_running);
}

TEST_CASE_METHOD(loading,
                 "who wants to see a chat whose last turn ended is refused when it is loaded",
                 "[actors][session_load]") {
  auto view = std::make_shared<received>();
  spawn_viewer(sys, {"s", "", 0, true, 0}, std::make_unique<recording_sink>(view));
  run();
  CHECK(view->refused.code == errc::none);
  SECTION("and nothing is kept for it") {
    load();
  }
  SECTION("or when that fails") {
    tell({errc::store_timeout, ""});
  }
  CHECK(view->refused.code != errc::none);
  CHECK(kept.saves.empty());
}

TEST_CASE_METHOD(loading, "the version that a client names is that of what is loaded",
                 "[actors][session_load]") {
  auto ask = request("more");
  ask.if_version = kept.data.load({"s"}).version + GENERATE(0u, 1u);
  auto fits = ask.if_version == kept.data.load({"s"}).version;
  auto got = send(std::move(ask));
  run();
  load();
  CHECK(got->refused.code == (fits ? errc::none : errc::conversation_changed));
  CHECK(http.calls.size() == (fits ? 1 : 0));
  CHECK(counts().running_turns == (fits ? 1 : 0));
}

TEST_CASE_METHOD(loading, "a chat's overrides count where a turn says nothing",
                 "[actors][session_load]") {
  auto& overrides = kept.data.find("s")->kept.overrides;
  overrides = {"nope", true, {"one"}};
  auto got = send("more");
  load();
  CHECK(got->refused.code == errc::model_unknown);
  auto ask = request("more");
  ask.options.model = "default";
  send(std::move(ask));
  run();
  REQUIRE(notes->lists.size() == 1);
  CHECK(notes->lists[0].limits_servers);
  CHECK(notes->lists[0].servers == strings{"one"});
}

// -- turns that were cut off ----------------------------------------------------------------------

namespace {

/// A turn that was cut off while it ran calls.
class interrupted : public kept_chat {
public:
  interrupted() {
    auto calls = message(role::assistant, "", "a1");
    calls.tool_calls = {{"c1", "echo", "{}"}, {"c2", "echo", R"({"n":1})"}};
    turn_record row;
    row.turn_id = "t1";
    row.message_id = "a1";
    row.state = turn_state::interrupted;
    row.model = "default";
    put({message(role::user, "hi", "u1"), calls}, row);
    open();
  }

  std::shared_ptr<received> resume() {
    turn_request ask;
    ask.session_id = "s";
    ask.resumes = true;
    auto got = send(std::move(ask));
    run();
    return got;
  }
};

} // namespace

TEST_CASE_METHOD(interrupted, "calls that were cut off get an honest result, and are not run again",
                 "[actors][session_load]") {
  send("more");
  CHECK(notes->calls.empty());
  CHECK(contains(body(), "it may or may not have run"));
  REQUIRE(kept.saves.size() == 1);
  CHECK(kept.saves[0].keep == 2);
  REQUIRE(kept.saves[0].more.size() == 3);
  CHECK(kept.saves[0].more[0].tool_call_id == "c1");
  CHECK(kept.saves[0].more[0].id == "a1");
  CHECK(kept.saves[0].more[2].text == "more");
  CHECK(openai_fault(kept.data.load({"s"}).history) == "");
}

TEST_CASE_METHOD(interrupted, "a turn that was interrupted can be resumed with the same message",
                 "[actors][session_load]") {
  auto got = resume();
  REQUIRE(http.calls.size() == 1);
  CHECK(contains(body(), "it may or may not have run"));
  CHECK(std::get<session_start>(got->events.at(0)).message_id == "a1");
  answer({text_chunk("well")});
  CHECK(got->names() == plain_turn);
  auto now = kept.data.load({"s"});
  CHECK(now.history.back().id == "a1");
  CHECK(now.last_turn.state == turn_state::ended);
  CHECK(resume()->refused.code == errc::request_invalid);
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(interrupted, "a turn is not resumed with messages", "[actors][session_load]") {
  auto ask = request("more");
  ask.resumes = true;
  auto got = send(std::move(ask));
  run();
  CHECK(got->refused.code == errc::request_invalid);
  CHECK(http.calls.empty());
}

TEST_CASE_METHOD(interrupted, "a turn whose session crashed is closed in the store with the next",
                 "[actors][session_load]") {
  send("more");
  auto turns = [this] { return kept.data.find("s")->kept.turns; };
  auto running = turns().back().turn_id;
  crash(*this, caf::actor_cast<session_actor>(kept.session));
  send("again");
  CHECK(kept.loads == 2);
  CHECK(contains(body(), "again"));
  REQUIRE(turns().size() == 3);
  CHECK(turns()[1].turn_id == running);
  CHECK(turns()[1].state == turn_state::interrupted);
  CHECK(turns()[2].state == turn_state::running);
}

TEST_CASE_METHOD(kept_chat, "only a turn that was interrupted can be resumed",
                 "[actors][session_load]") {
  settings.keeps = GENERATE(true, false);
  open();
  turn_request ask;
  ask.session_id = "s";
  ask.resumes = true;
  auto got = send(std::move(ask));
  run();
  CHECK(got->refused.code == errc::request_invalid);
  CHECK(http.calls.empty());
  CHECK(counts().running_turns == 0);
}

} // namespace session_load_test
