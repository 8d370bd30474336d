// Turns that were cut off by the end of the process, and those who ask for them afterwards.
#include "actors/session/session.hpp"

#include "tests/actors/session/stored_chat.hpp"

namespace session_viewers_restart_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

struct restarted_chat : stored_chat {
  /// A turn that was interrupted, of which these events were kept.
  void interrupted(std::vector<event> events, bool can_resume = true) {
    auto& made = kept->chats["s"];
    made.version = 1;
    made.history = {{role::user, "hi", {}, {}, {}}};
    made.last_turn.turn_id = "turn_1";
    made.last_turn.message_id = "msg_1";
    made.last_turn.state = turn_state::interrupted;
    made.last_turn.resumable = can_resume;
    if (!events.empty())
      made.events = {{"s", "turn_1", 1, 1000, std::move(events)}};
  }

  static errc error_of(const got& one) {
    return std::get<session_error>(one->events.at(one->events.size() - 1)).error;
  }
};

const std::vector<event> begun{session_start{"msg_1"}, model_response_waiting{0, "default"},
                               text_delta{"a"}, text_delta{"b"}};

} // namespace

TEST_CASE_METHOD(restarted_chat, "a turn that was interrupted is replayed and ends with an error",
                 "[actors][session]") {
  interrupted(begun);
  open();
  for (const auto& each : {view_ended(), view(), view({"s", "turn_1", 0, true, 0})}) {
    CHECK(each->names() ==
          strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "TEXT", "TEXT", "SESSION_ERROR"});
    CHECK(each->numbers == numbers_from_one(5));
    CHECK(text_of(each) == "ab");
    CHECK(error_of(each) == errc::server_restarted);
  }
  CHECK(view_ended(3)->numbers == std::vector<uint64_t>{4, 5});
  CHECK(view_ended(4)->numbers == std::vector<uint64_t>{5});
  CHECK(view_ended(5)->refused.code == errc::turn_not_running);
  CHECK(view_ended(0, "turn_2")->refused.code == errc::turn_not_running);
  CHECK(kept->count("load s") == 1);
}

TEST_CASE_METHOD(restarted_chat, "a turn that another node runs is asked about each time",
                 "[actors][session]") {
  interrupted(begun);
  auto& made = kept->chats["s"];
  made.last_turn.state = turn_state::running;
  made.claim = claim_state::held_elsewhere;
  open();
  CHECK(view_ended()->refused.code == errc::turn_not_running);
  made.last_turn.state = turn_state::interrupted;
  made.claim = {};
  const auto one = view_ended();
  REQUIRE(one->events.size() == 5);
  CHECK(error_of(one) == errc::server_restarted);
  CHECK(kept->count("load s") == 2);
}

TEST_CASE_METHOD(restarted_chat, "who has seen more than was kept gets the error once after that",
                 "[actors][session]") {
  interrupted(begun);
  open();
  auto one = view_ended(70);
  CHECK(one->numbers == std::vector<uint64_t>{71});
  CHECK(error_of(one) == errc::server_restarted);
  CHECK(view_ended(71)->refused.code == errc::turn_not_running);
  CHECK(view_ended(72)->numbers == std::vector<uint64_t>{73});
  CHECK(view_ended()->numbers == numbers_from_one(5));
}

TEST_CASE_METHOD(restarted_chat, "the calls that were open in a turn are closed in its replay",
                 "[actors][session]") {
  auto events = begun;
  events.emplace_back(tool_args_start{"c1", "echo", false});
  events.emplace_back(tool_args_complete{"c1", "echo", {"{}"}, false, errc::none, "", {}});
  events.emplace_back(tool_args_start{"c2", "ask", true});
  events.emplace_back(tool_args_delta{"c2", "{"});
  events.emplace_back(mcp_tool_start{"c1", "echo", "one"});
  interrupted(events);
  open();
  auto all = view_ended();
  REQUIRE(all->events.size() == events.size() + 3);
  const auto& asked = std::get<tool_args_complete>(all->events.at(events.size()));
  CHECK(asked.tool_call_id == "c2");
  CHECK(asked.client_side);
  CHECK(asked.error == errc::server_restarted);
  const auto& ran = std::get<mcp_tool_error>(all->events.at(events.size() + 1));
  CHECK(ran.tool_call_id == "c1");
  CHECK(ran.server == "one");
  CHECK(error_of(all) == errc::server_restarted);
  auto within = view_ended(events.size() + 1); // it has a part of what closes the calls
  CHECK(within->numbers == std::vector<uint64_t>{events.size() + 2});
}

TEST_CASE_METHOD(restarted_chat,
                 "an interrupted turn without any event begins and ends all the same",
                 "[actors][session]") {
  interrupted({});
  open();
  auto all = view();
  REQUIRE(all->names() == strings{"SESSION_START", "SESSION_ERROR"});
  CHECK(std::get<session_start>(all->events[0]).message_id == "msg_1");
}

TEST_CASE_METHOD(restarted_chat, "there is nothing to see of turns that ended or of no chat",
                 "[actors][session]") {
  open();
  CHECK(view_ended()->refused.code == errc::turn_not_running);
  CHECK(kept->chats["s"].version == 0);
  turn("one");
  reopen();
  CHECK(view_ended()->refused.code == errc::turn_not_running);
  CHECK(kept->chats["s"].version > 0);
  interrupted(begun, false);
  reopen();
  CHECK(view_ended()->refused.code == errc::turn_not_running);
  CHECK(kept->count("save s") == 2);
}

TEST_CASE_METHOD(restarted_chat, "the next turn takes the place of the interrupted one",
                 "[actors][session]") {
  interrupted(begun);
  open();
  view_ended();
  auto next = open_turn(resumable("again"));
  auto other = view();
  finish();
  CHECK(next->names().front() == "SESSION_START");
  check_same(next, other);
  CHECK(view_ended()->names().back() == "SESSION_END");
}

TEST_CASE_METHOD(restarted_chat,
                 "what was durable of a resumable turn is what its replay begins with",
                 "[actors][session]") {
  open_tools({"echo"});
  open();
  auto owner = send(resumable("go"));
  run();
  answer({text_chunk("let me see"), call_chunk(0, "c1", "echo", "{}")});
  REQUIRE(owner->names().back() == "MCP_TOOL_START");
  reopen();
  auto after = view_ended();
  REQUIRE(after->events.size() > 4);
  CHECK(text_of(after) == "let me see");
  CHECK(after->numbers == numbers_from_one(after->numbers.size()));
  CHECK(error_of(after) == errc::server_restarted);
  auto kept_names = after->names();
  kept_names.pop_back();
  if (kept_names.back() == "MCP_TOOL_ERROR")
    kept_names.pop_back();
  auto seen = owner->names();
  seen.resize(kept_names.size());
  CHECK(kept_names == seen);
}

// -- sessions that were woken ---------------------------------------------------------------------

TEST_CASE_METHOD(restarted_chat, "a session that was woken for a viewer goes after its idle time",
                 "[actors][session_hub]") {
  interrupted(begun);
  open();
  view_ended();
  CHECK(counts().sessions == 1);
  advance(10min);
  CHECK(counts().sessions == 0);
  CHECK(view_ended()->numbers == numbers_from_one(5));
}

TEST_CASE_METHOD(restarted_chat, "sessions that were woken make room for others first",
                 "[actors][session_hub]") {
  open(3);
  turn("one", "a");
  turn("one", "b");
  for (int i = 0; i < 5; ++i) {
    auto into = std::make_shared<received>();
    spawn_viewer(sys, {"other " + std::to_string(i), "", 0, true, 0},
                 std::make_unique<recording_sink>(into));
    run();
    CHECK(into->refused.code == errc::turn_not_running);
  }
  turn("two", "a");
  turn("two", "b");
  CHECK(kept->count("load a") == 1);
  CHECK(kept->count("load b") == 1);
  CHECK(counts().sessions == 3);
}

TEST_CASE_METHOD(restarted_chat, "a viewer that meets the end of its session gets the next one",
                 "[actors][session_hub]") {
  interrupted(begun);
  open();
  view_ended();
  sched().advance_time(10min);
  auto into = std::make_shared<received>();
  auto who = client(into);
  caf::send_as(who, hub, watch_turn{"s", "", 0, true, 1000});
  run();
  CHECK(into->numbers == numbers_from_one(5));
  CHECK(kept->count("load s") == 2);
}

TEST_CASE_METHOD(restarted_chat, "a viewer does not wait for a store that is gone",
                 "[actors][session_hub]") {
  open();
  kept->silent = true;
  auto waits = view_ended();
  CHECK(waits->refused.code == errc::none);
  SECTION("crashed") {
    crash(*this, store);
    CHECK(waits->refused.code == errc::store_failed);
  }
  SECTION("silent") {
    for (int i = 0; i < 7; ++i)
      advance(5s);
    CHECK(waits->refused.code == errc::store_timeout);
  }
}

TEST_CASE_METHOD(restarted_chat, "while the server drains no session is woken",
                 "[actors][session_hub]") {
  interrupted(begun);
  open();
  ask<atom::done>(hub, atom::drain_v, caf::timespan{1s});
  CHECK(view_ended()->refused.code == errc::turn_not_running);
  CHECK(counts().sessions == 0);
}

} // namespace session_viewers_restart_test
