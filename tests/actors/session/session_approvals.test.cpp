// A session whose calls need the client's approval, and one that asks for it over two turns.
#include "tests/actors/session/kept_chat.hpp"

namespace session_approvals_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

template <class World>
class asking : public World {
public:
  asking() {
    this->settings.limits.approval.tools = {"one/echo"};
    this->open();
  }

  /// Begins a turn and has the model make a call.
  std::shared_ptr<received> ask_and_call(bool ends_turn) {
    auto ask = this->request("go");
    ask.options.approval_ends_turn = ends_turn;
    auto got = this->send(std::move(ask));
    this->run();
    this->answer({call_chunk(0, "a", "echo", R"({"x":1})")});
    return got;
  }

  static tool_approval_request asked_in(const received& got) {
    for (const auto& each : got.events)
      if (const auto* found = std::get_if<tool_approval_request>(&each))
        return *found;
    throw std::runtime_error{"no approval was asked for"};
  }

  /// Goes on with an answer to an approval.
  std::shared_ptr<received> go_on(const std::string& approval_id, bool approved = true,
                                  const std::string& parameters = "") {
    turn_request ask;
    ask.options.parameters = parameters;
    ask.session_id = "s";
    ask.approvals.push_back({approval_id, approved, ""});
    ask.options.approval_ends_turn = true;
    auto got = this->send(std::move(ask));
    this->run();
    return got;
  }
};

using approvals = asking<tools_fixture>;

struct kept_approvals : asking<kept_chat> {
  /// Crashes the session hub, and with it all sessions.
  void reopen() {
    crash(*this, hub);
    sys.registry().erase(session_hub_name); // put() does not replace
    open();
  }

  /// What the store has of the approval of a call.
  call_approval noted() {
    for (const auto& message : kept.data.load({"s"}).history)
      for (const auto& call : message.tool_calls)
        return call.approval;
    return {};
  }
};

} // namespace

TEST_CASE_METHOD(approvals, "a turn waits for the approval of a call and then runs it",
                 "[actors][session]") {
  auto got = ask_and_call(false);
  CHECK(got->names().back() == "TOOL_APPROVAL_REQUEST");
  CHECK(notes->calls.empty());
  self->send(hub, answer_approvals{"s", {{asked_in(*got).approval_id, true, ""}}});
  run();
  REQUIRE(notes->calls.size() == 1);
  CHECK(notes->calls[0].first.arguments == R"({"x":1})");
  end_call("done");
  answer({text_chunk("ok")});
  CHECK(got->names().back() == "SESSION_END");
}

TEST_CASE_METHOD(approvals, "an approval that nobody gives is denied at its time, to the tick",
                 "[actors][session]") {
  auto got = ask_and_call(false);
  advance(5min - 1ms);
  CHECK(got->names().back() == "TOOL_APPROVAL_REQUEST");
  advance(1ms);
  CHECK(http.calls.size() == 2);
  CHECK(contains(body(), "The user did not allow the call."));
  CHECK(notes->calls.empty());
}

TEST_CASE_METHOD(approvals, "answers of unknown ids, or when nothing runs, have no effect",
                 "[actors][session]") {
  self->send(hub, answer_approvals{"s", {{"appr_x", true, ""}}});
  auto got = ask_and_call(false);
  self->send(hub, answer_approvals{"s", {{"appr_x", true, ""}}});
  run();
  CHECK(got->names().back() == "TOOL_APPROVAL_REQUEST");
  CHECK(notes->calls.empty());
}

TEST_CASE_METHOD(approvals,
                 "a call is run by the next turn, under the same message, before the model",
                 "[actors][session]") {
  auto first = ask_and_call(true);
  CHECK(first->names().back() == "SESSION_END");
  CHECK(counts().running_turns == 0);
  auto second = go_on(asked_in(*first).approval_id);
  CHECK(std::get<session_start>(second->events[0]).message_id ==
        std::get<session_start>(first->events[0]).message_id);
  CHECK(http.calls.size() == 1);
  REQUIRE(notes->calls.size() == 1);
  end_call("the result");
  REQUIRE(http.calls.size() == 2);
  CHECK(contains(body(), R"("content":"the result")"));
  answer({text_chunk("ok")});
  CHECK(second->names() == strings{"SESSION_START", "MCP_TOOL_START", "MCP_TOOL_SUCCESS",
                                   "MODEL_RESPONSE_WAITING", "TEXT", "MODEL_GENERATION_STOP",
                                   "SESSION_END"});
}

TEST_CASE_METHOD(approvals, "no call is demanded of a model that has the result of one",
                 "[actors][session]") {
  auto first = ask_and_call(true);
  go_on(asked_in(*first).approval_id, true, R"({"tool_choice":"required","seed":7})");
  end_call("done");
  CHECK(contains(body(), R"("seed":7)"));
  CHECK_FALSE(contains(body(), "tool_choice"));
}

TEST_CASE_METHOD(approvals, "a call that the next turn denies is not run, and the model is told",
                 "[actors][session]") {
  auto first = ask_and_call(true);
  go_on(asked_in(*first).approval_id, false);
  CHECK(notes->calls.empty());
  REQUIRE(http.calls.size() == 2);
  CHECK(contains(body(), "The user did not allow the call."));
}

TEST_CASE_METHOD(approvals, "an approval that comes after its time is a denial",
                 "[actors][session]") {
  auto first = ask_and_call(true);
  advance(5min);
  go_on(asked_in(*first).approval_id);
  CHECK(notes->calls.empty());
  CHECK(contains(body(), "The approval came too late."));
}

TEST_CASE_METHOD(approvals, "an approval that nobody asked for is refused", "[actors][session]") {
  ask_and_call(true);
  auto got = go_on("appr_guessed");
  CHECK(got->refused.code == errc::request_invalid);
  CHECK(notes->calls.empty());
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(approvals, "a new message passes over a call that waits", "[actors][session]") {
  auto first = ask_and_call(true);
  send("never mind");
  CHECK(notes->calls.empty());
  REQUIRE(http.calls.size() == 2);
  CHECK(contains(body(), "The tool was not run: the user went on without it."));
  answer({text_chunk("ok")});
  CHECK(go_on(asked_in(*first).approval_id)->refused.code == errc::request_invalid);
}

TEST_CASE_METHOD(approvals, "a client that sends its whole history approves what was asked for",
                 "[actors][session]") {
  auto first = ask_and_call(true);
  auto whole = request("go");
  whole.replaces_history = true;
  whole.messages.push_back({role::assistant, "", {}, {{"a", "echo", R"({"x":666})"}}, {}});
  whole.options.approval_ends_turn = true;
  SECTION("and not what it has made of it") {
    whole.approvals.push_back({asked_in(*first).approval_id, true, ""});
    auto again = whole;
    send(std::move(whole));
    run();
    REQUIRE(notes->calls.size() == 1);
    CHECK(notes->calls[0].first.arguments == R"({"x":1})");
    end_call("the result");
    CHECK_FALSE(contains(body(), "666"));
    http.calls.back()->end(errc::connection_cut);
    run();
    advance(1min);
    if (counts().running_turns > 0) { // a model that failed is asked again
      self->send(hub, abort_turn{"s", "", "stop"});
      run();
    }
    auto requests = http.calls.size();
    send(std::move(again)); // it is not run twice
    run();
    CHECK(notes->calls.size() == 1);
    CHECK(http.calls.size() == requests + 1);
    CHECK(contains(body(), R"("content":"the result")"));
  }
  SECTION("which has to be known") {
    whole.approvals.push_back({"appr_of_another_life", true, ""});
    send(std::move(whole));
    run();
    CHECK(notes->calls.empty());
    CHECK(contains(body(), "The approval is not known any more; the call was not run."));
  }
}

TEST_CASE_METHOD(approvals,
                 "an abort while a call waits ends the turn, and the history is accepted",
                 "[actors][session]") {
  auto got = ask_and_call(false);
  self->send(hub, abort_turn{"s", "", "stop"});
  run();
  CHECK(got->names().back() == "SESSION_END");
  CHECK(notes->cancels.empty());
  send("next");
  CHECK(contains(body(), "The turn was aborted before the tool had answered."));
}

// -- it outlives the session ----------------------------------------------------------------------

TEST_CASE_METHOD(kept_approvals, "a call that waits is run by a session that loads the chat",
                 "[actors][session]") {
  auto first = ask_and_call(true);
  auto asked = asked_in(*first);
  CHECK(noted().id == asked.approval_id);
  CHECK(stored() == strings{"user go", "assistant "});
  reopen();
  auto second = go_on(asked.approval_id);
  CHECK(std::get<session_start>(second->events[0]).message_id ==
        std::get<session_start>(first->events[0]).message_id);
  REQUIRE(notes->calls.size() == 1);
  const auto& call = notes->calls[0].first;
  CHECK(call.arguments == R"({"x":1})");
  CHECK(call.server == "one");
  CHECK(call.tool == "echo");
  end_call("the result");
  CHECK(contains(body(), R"("content":"the result")"));
  answer({text_chunk("ok")});
  CHECK(second->names().back() == "SESSION_END");
  CHECK(noted() == call_approval{});
}

TEST_CASE_METHOD(kept_approvals, "an answer counts once, whatever becomes of the session",
                 "[actors][session]") {
  auto first = ask_and_call(true);
  auto id = asked_in(*first).approval_id;
  SECTION("after it was given") {
    reopen();
    go_on(id);
    REQUIRE(notes->calls.size() == 1);
    end_call("done");
    answer({text_chunk("ok")});
  }
  SECTION("while its tool runs") {
    go_on(id);
    REQUIRE(notes->calls.size() == 1);
  }
  SECTION("after the user went on without it") {
    send("never mind");
    answer({text_chunk("ok")});
  }
  auto runs = notes->calls.size();
  reopen();
  CHECK(noted() == call_approval{});
  CHECK(go_on(id)->refused.code == errc::request_invalid);
  CHECK(notes->calls.size() == runs);
}

TEST_CASE_METHOD(kept_approvals, "the time for an answer goes on while nobody has the chat",
                 "[actors][session]") {
  auto first = ask_and_call(true);
  auto id = asked_in(*first).approval_id;
  auto late = GENERATE(false, true);
  auto& answer = kept.data.find("s")->kept.messages.back().message;
  answer.tool_calls[0].approval.due_ms -= (late ? 5min : 4min) / 1ms; // the turn ended earlier
  reopen();
  go_on(id);
  CHECK(notes->calls.size() == (late ? 0 : 1));
  if (late)
    CHECK(contains(body(), "The approval came too late."));
}

TEST_CASE_METHOD(kept_approvals, "a client that sends its whole history approves what was kept",
                 "[actors][session]") {
  auto id = asked_in(*ask_and_call(true)).approval_id;
  reopen();
  auto whole = request("go");
  whole.replaces_history = true;
  whole.messages.push_back({role::assistant, "", {}, {{"a", "echo", R"({"x":666})"}}, {}});
  whole.options.approval_ends_turn = true;
  whole.approvals.push_back({id, true, ""});
  send(std::move(whole));
  run();
  REQUIRE(notes->calls.size() == 1);
  CHECK(notes->calls[0].first.arguments == R"({"x":1})");
}

TEST_CASE_METHOD(kept_approvals, "a call is noted when its turn ends, not while that can be asked",
                 "[actors][session]") {
  see({{"add", "", R"({"type":"object"})", "one", "add"},
       {"echo", "", R"({"type":"object"})", "one", "echo"}});
  auto ask = request("go");
  ask.options.approval_ends_turn = true;
  auto got = send(std::move(ask));
  run();
  answer({call_chunk(0, "a", "echo", "{}"), call_chunk(1, "b", "add", "{}")});
  REQUIRE(notes->calls.size() == 1);
  CHECK(noted() == call_approval{});
  auto id = asked_in(*got).approval_id;
  SECTION("the other call ends") {
    end_call("3");
    CHECK(noted().id == id);
    reopen();
    go_on(id);
    CHECK(notes->calls.size() == 2);
  }
  SECTION("its answer comes in time") {
    self->send(hub, answer_approvals{"s", {{id, true, ""}}});
    run();
    CHECK(notes->calls.size() == 2);
    CHECK(noted() == call_approval{});
  }
  SECTION("it is cut off") {
    reopen();
    CHECK(go_on(id)->refused.code == errc::request_invalid);
    CHECK(notes->calls.size() == 1);
  }
}

TEST_CASE_METHOD(kept_approvals, "what nobody waits to be kept is not answered after a reload",
                 "[actors][session]") {
  settings.waits_saved = false; // an answer may have been given before
  reopen();
  auto id = asked_in(*ask_and_call(true)).approval_id;
  reopen();
  CHECK(go_on(id)->refused.code == errc::request_invalid);
  CHECK(notes->calls.empty());
}

TEST_CASE_METHOD(kept_approvals, "a turn that waits itself leaves nothing to be approved later",
                 "[actors][session]") {
  auto id = asked_in(*ask_and_call(false)).approval_id;
  CHECK(noted() == call_approval{});
  reopen();
  CHECK(go_on(id)->refused.code == errc::request_invalid);
  CHECK(notes->calls.empty());
}

} // namespace session_approvals_test
