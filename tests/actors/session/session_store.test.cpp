// What a session has the store keep, and what waits for that.
#include <algorithm>

#include "tests/actors/session/kept_chat.hpp"

namespace session_store_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// Saves are answered when the test says so.
class saving : public kept_chat {
public:
  saving() {
    kept.answers_saves = false;
    open();
  }
};

class not_waiting : public kept_chat {
public:
  not_waiting() {
    kept.answers_saves = false;
    settings.waits_saved = false;
    open();
  }
};

const strings begun{"SESSION_START", "MODEL_RESPONSE_WAITING"};
const strings plain_chat{"user hi", "assistant hello"};

} // namespace

TEST_CASE_METHOD(saving, "the model is asked when the user's message is saved",
                 "[actors][session_store]") {
  auto got = send("hi");
  CHECK(got->names().empty());
  CHECK(http.calls.empty());
  REQUIRE(kept.waiting.size() == 1);
  const auto& first = kept.saves[0];
  CHECK(first.keep == 0);
  REQUIRE(first.more.size() == 1);
  CHECK(first.more[0].text == "hi");
  CHECK_FALSE(first.more[0].id.empty());
  CHECK(first.turn.state == turn_state::running);
  CHECK(first.turn.model == "default");
  CHECK(first.turn.started_ms > 1'000'000'000'000);
  CHECK(first.report.turn_id.empty());
  save();
  CHECK(got->names() == begun);
  CHECK(http.calls.size() == 1);
}

TEST_CASE_METHOD(saving, "a turn's end is saved before its client hears of it",
                 "[actors][session_store]") {
  auto got = send("hi");
  save();
  answer({text_chunk("hello")});
  CHECK(got->names().back() == "TEXT");
  CHECK(counts().running_turns == 1);
  CHECK(http.calls[0]->cancelled);
  REQUIRE(kept.waiting.size() == 1);
  const auto& end = kept.saves[1];
  CHECK(end.keep == 1);
  CHECK(end.more.size() == 1);
  CHECK(end.turn.state == turn_state::ended);
  CHECK(end.turn.turn_id == kept.saves[0].turn.turn_id);
  CHECK(end.turn.ended_ms >= end.turn.started_ms);
  CHECK(end.turn.message_id == end.more[0].id);
  CHECK(end.report.turn_id == end.turn.turn_id);
  CHECK(end.report.requests.size() == 1);
  save();
  CHECK(got->names() == plain_turn);
  CHECK(got->numbers == numbers_from_one(5));
  CHECK(counts().running_turns == 0);
  CHECK(stored() == plain_chat);
  CHECK(kept.saves.size() == 2);
  send("more");
  CHECK(kept.saves[2].keep == 2);
  CHECK(kept.loads == 1);
}

TEST_CASE_METHOD(saving, "calls are saved before they start, and results before they are fed back",
                 "[actors][session_store]") {
  auto got = send("go");
  save();
  answer({text_chunk("well"), call_chunk(0, "a", "echo", "{}")});
  CHECK(got->names().back() == "MCP_TOOL_START");
  CHECK(notes->calls.empty());
  REQUIRE(kept.waiting.size() == 1);
  CHECK(kept.saves[1].more.at(0).tool_calls.size() == 1);
  CHECK(kept.saves[1].turn.turn_id.empty()); // nothing new of it
  save();
  REQUIRE(notes->calls.size() == 1);
  end_call("done");
  CHECK(got->names().back() == "MODEL_RESPONSE_WAITING");
  CHECK(http.calls.size() == 1);
  REQUIRE(kept.saves.size() == 3);
  CHECK(kept.saves[2].keep == 2);
  CHECK(kept.saves[2].more.at(0).id == kept.saves[1].more.at(0).id);
  save();
  CHECK(http.calls.size() == 2);
  answer({text_chunk("ok")});
  save();
  CHECK(stored() == strings{"user go", "assistant well", "tool done", "assistant ok"});
}

TEST_CASE_METHOD(saving, "a call's time begins when it is started", "[actors][session_store]") {
  auto got = send("go");
  save();
  answer({call_chunk(0, "a", "echo", "{}")});
  advance(settings.limits.tool_timeout + 1s);
  CHECK(notes->cancels.empty());
  save();
  REQUIRE(notes->calls.size() == 1);
  advance(settings.limits.tool_timeout - 1s);
  CHECK(notes->cancels.empty());
  advance(1s);
  CHECK(notes->cancels.size() == 1);
}

TEST_CASE_METHOD(saving, "an abort is saved as one before its client hears of it",
                 "[actors][session_store]") {
  auto got = send("go");
  SECTION("while the model answers") {
    save();
    http.calls.at(0)->head(200, "text/event-stream");
    http.calls.at(0)->bytes("data: " + text_chunk("par") + "\n\n");
    run();
    self->send(hub, abort_turn{"s", "", "stop"});
    run();
    CHECK(got->names().back() == "TEXT");
  }
  SECTION("before the model is asked") {
    self->send(hub, abort_turn{"s", "", "stop"});
    run();
    CHECK(got->names().empty());
    save();
    CHECK(got->names().empty());
    CHECK(http.calls.empty());
  }
  save();
  CHECK(got->names().back() == "SESSION_END");
  CHECK(last_turn().state == turn_state::aborted);
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(saving, "attachments are saved with their message before the model is asked",
                 "[actors][session_store]") {
  open_resource_store();
  notes->tools.has_attachments = true;
  send("hi");
  save();
  CHECK(http.calls.empty());
  give({text("test://a", "content A")});
  CHECK(http.calls.empty());
  save();
  CHECK(http.calls.size() == 1);
  CHECK(kept.data.load({"s"}).history.at(0).extras.size() == 1);
}

TEST_CASE_METHOD(saving, "attachments that come after their turn was stopped are saved, too",
                 "[actors][session_store]") {
  open_resource_store();
  notes->tools.has_attachments = true;
  kept.answers_saves = true;
  send("hi");
  self->send(hub, abort_turn{"s", "", "stop"});
  run();
  CHECK(counts().running_turns == 0);
  const auto saves = kept.saves.size();
  give({text("test://a", "content A")});
  CHECK(kept.saves.size() == saves + 1);
  CHECK(kept.data.load({"s"}).history.at(0).extras.size() == 1);
}

TEST_CASE_METHOD(saving, "approved calls are kept as begun until their results are there",
                 "[actors][session_store]") {
  kept.answers_saves = true;
  auto ask = request("go");
  ask.options.approve_all = ask.options.approval_ends_turn = true;
  auto first = send(std::move(ask));
  run();
  answer({call_chunk(0, "a", "echo", "{}")});
  auto is_ask = [](const event& each) {
    return std::holds_alternative<tool_approval_request>(each);
  };
  auto found = std::find_if(first->events.begin(), first->events.end(), is_ask);
  REQUIRE(found != first->events.end());
  const auto& asked = std::get<tool_approval_request>(*found);
  CHECK(stored() == strings{"user go", "assistant "});
  turn_request more;
  more.session_id = "s";
  more.approvals.push_back({asked.approval_id, true, ""});
  send(std::move(more));
  run();
  REQUIRE(notes->calls.size() == 1);
  CHECK(contains(stored().at(2), "may or may not have run"));
  end_call("done");
  CHECK(stored() == strings{"user go", "assistant ", "tool done"});
}

TEST_CASE_METHOD(saving, "a resumable turn's events are kept at its save points",
                 "[actors][session_store]") {
  auto ask = request("go");
  ask.options.resumable = true;
  auto got = send(std::move(ask));
  run();
  save();
  answer({text_chunk("well"), call_chunk(0, "a", "echo", "{}")});
  save();
  end_call("done");
  save();
  uint64_t next = 1;
  for (const auto& each : kept.saves)
    for (const auto& batch : each.events) {
      CHECK(batch.first_seq == next);
      next += batch.events.size();
    }
  CHECK(next > 5);
  answer({text_chunk("ok")});
  CHECK(kept.saves.back().events.empty()); // it is over
  save();
  CHECK(got->names().back() == "SESSION_END");
}

TEST_CASE_METHOD(kept_chat, "an ephemeral turn is neither loaded nor kept",
                 "[actors][session_store]") {
  open();
  auto ask = request("hi");
  ask.ephemeral = true;
  auto got = send(std::move(ask));
  run();
  answer({text_chunk("hello")});
  CHECK(got->names() == plain_turn);
  CHECK(kept.loads == 0);
  CHECK(kept.saves.empty());
}

TEST_CASE_METHOD(kept_chat, "nothing is sent to a store by sessions that keep nothing",
                 "[actors][session_store]") {
  settings.keeps = false;
  open();
  auto got = send("hi");
  answer({text_chunk("hello")});
  CHECK(got->names() == plain_turn);
  CHECK(kept.loads == 0);
  CHECK(kept.saves.empty());
}

TEST_CASE_METHOD(kept_chat, "a configured system prompt is told to the model and not kept",
                 "[actors][session_store]") {
  settings.system_prompt = "be brief";
  open();
  send("hi");
  answer({text_chunk("hello")});
  CHECK(contains(body(), R"([{"role":"system","content":"be brief"},{"role":"user")"));
  CHECK(stored() == plain_chat);
}

// -- nobody waits ---------------------------------------------------------------------------------

TEST_CASE_METHOD(not_waiting,
                 "without durability a turn waits for no save, and saves do not pile up",
                 "[actors][session_store]") {
  auto got = send("go");
  answer({call_chunk(0, "a", "echo", "{}")});
  end_call("done");
  answer({text_chunk("ok")});
  CHECK(got->names().back() == "SESSION_END");
  CHECK(counts().running_turns == 0);
  CHECK(kept.saves.size() == 1);
  save();
  REQUIRE(kept.saves.size() == 2);
  CHECK(kept.saves[1].more.size() == 3);
  CHECK(kept.saves[1].turn.state == turn_state::ended);
  save();
  CHECK(kept.waiting.empty());
  CHECK(stored() == strings{"user go", "assistant ", "tool done", "assistant ok"});
}

TEST_CASE_METHOD(not_waiting, "without durability a turn goes on when saves fail",
                 "[actors][session_store]") {
  auto got = send("hi");
  fail_save();
  http.calls.at(0)->head(200, "text/event-stream");
  http.calls.at(0)->bytes("data: " + text_chunk("hello") + "\n\n");
  run();
  CHECK(kept.saves.size() == 1); // nothing new is to be kept
  http.calls.at(0)->bytes("data: [DONE]\n\n");
  run();
  CHECK(got->names() == plain_turn);
  REQUIRE(kept.saves.size() == 2);
  CHECK(kept.saves[1].more.size() == 2);
  fail_save();
  send("more");
  save(); // of the turn before
  save();
  CHECK(stored() == strings{"user hi", "assistant hello", "user more"});
  CHECK(kept.data.load({"s"}).last_turn.state == turn_state::running);
}

} // namespace session_store_test
