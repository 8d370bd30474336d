// A session that goes on with what its client has done, and what calls may take.
#include "tests/actors/session/tools_fixture.hpp"
#include "tests/support/request_rules.hpp"

namespace session_continue_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

class continued : public tools_fixture {
public:
  continued() { open(); }

  static turn_request with_tool(turn_request made) {
    made.options.tools.push_back({"mine", "", R"({"type":"object"})", "", ""});
    return made;
  }

  /// A turn that ends with a call of the client's, "a", and one of the server's, "b".
  std::shared_ptr<received> mixed() {
    auto got = send(with_tool(request("go")));
    run();
    answer({call_chunk(0, "a", "mine", "{}"), call_chunk(1, "b", "echo", "{}")});
    end_call("from the server");
    return got;
  }

  std::shared_ptr<received> results(const strings& ids) {
    turn_request ask;
    ask.session_id = "s";
    for (const auto& id : ids)
      ask.messages.push_back({role::tool, "from the client", {}, {}, id});
    auto got = send(with_tool(std::move(ask)));
    run();
    return got;
  }
};

} // namespace

TEST_CASE_METHOD(continued,
                 "the model is offered the client's tools, and the client gets the calls",
                 "[actors][session]") {
  auto got = send(with_tool(request("go")));
  run();
  CHECK(contains(body(), R"("name":"mine","parameters")"));
  CHECK(contains(body(), R"("name":"echo","parameters")"));
  answer({call_chunk(0, "a", "mine", "{}")});
  CHECK(got->names().back() == "SESSION_END");
  CHECK(notes->calls.empty());
  send("no tools any more");
  CHECK(http.calls.size() == 2);
  CHECK_FALSE(contains(body(), R"("name":"mine","parameters")"));
}

TEST_CASE_METHOD(continued,
                 "results of the client join those of the server in the order of the calls",
                 "[actors][session]") {
  auto first = mixed();
  CHECK(first->names().back() == "SESSION_END");
  CHECK(http.calls.size() == 1);
  auto second = results({"a", "a"});
  REQUIRE(http.calls.size() == 2);
  CHECK(openai_body_fault(body()) == "");
  CHECK(body().find("from the client") < body().find("from the server"));
  CHECK(std::get<session_start>(second->events[0]).message_id ==
        std::get<session_start>(first->events[0]).message_id);
  answer({text_chunk("ok")});
  CHECK(second->names() == plain_turn);
}

TEST_CASE_METHOD(continued, "a client may send its results again when the turn has failed",
                 "[actors][session]") {
  mixed();
  results({"a"});
  self->send(hub, abort_turn{"s", "", "stop"});
  run();
  auto again = results({"a"});
  CHECK(again->refused.code == errc::none);
  CHECK(openai_body_fault(body()) == "");
}

TEST_CASE_METHOD(continued, "results of which none fits are refused, and change nothing",
                 "[actors][session]") {
  auto none = results({"a"});
  CHECK(none->refused.code == errc::request_invalid);
  mixed();
  auto wrong = results({"x", "y"});
  CHECK(wrong->refused.code == errc::request_invalid);
  CHECK(wrong->refused.message == "No call of this chat waits for a result with the id 'x'.");
  CHECK(http.calls.size() == 1);
  results({"x", "a"});
  CHECK(http.calls.size() == 2);
  CHECK(openai_body_fault(body()) == "");
}

TEST_CASE_METHOD(continued, "a new message gives calls that the client left out a reason",
                 "[actors][session]") {
  mixed();
  auto got = send("something else");
  CHECK(contains(body(), "The tool was not run."));
  CHECK(openai_body_fault(body()) == "");
  answer({text_chunk("ok")});
  CHECK(got->names() == plain_turn);
}

TEST_CASE_METHOD(continued, "a page that left before a call ended does not undo its result",
                 "[actors][session]") {
  mixed();
  turn_request ask;
  ask.session_id = "s";
  ask.replaces_history = true;
  ask.messages = {{role::user, "go", {}, {}, {}},
                  {role::assistant, "", {}, {{"a", "mine", "{}"}, {"b", "echo", "{}"}}, {}},
                  {role::tool, "The tool was not run.", {}, {}, "a"},
                  {role::tool, "The tool was not run.", {}, {}, "b"},
                  {role::user, "and now?", {}, {}, {}}};
  send(with_tool(std::move(ask)));
  run();
  REQUIRE(http.calls.size() == 2);
  CHECK(openai_body_fault(body()) == "");
  CHECK(contains(body(), "from the server"));
  CHECK(contains(body(), "The tool was not run."));
}

TEST_CASE_METHOD(continued, "what a provider wants back survives a client that sends its history",
                 "[actors][session]") {
  send("go");
  answer({R"({"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]})",
          call_chunk(0, "a", "echo", "{}")});
  end_call("done");
  answer({text_chunk("ok")});
  auto whole = request("go");
  whole.replaces_history = true;
  whole.messages.push_back({role::assistant, "", {}, {{"a", "echo", "{}"}}, {}});
  whole.messages.push_back({role::tool, "done", {}, {}, "a"});
  send(std::move(whole));
  run();
  CHECK(contains(body(), R"("reasoning_content":"hm")"));
}

// -- time ----------------------------------------------------------------------------------------

TEST_CASE_METHOD(tools_fixture, "a call is cancelled and given up at its time, to the tick",
                 "[actors][session]") {
  settings.limits.tool_timeout = 2s;
  settings.chats.session_idle = 1h;
  open();
  auto got = send("go");
  answer({call_chunk(0, "a", "echo", "{}")});
  advance(1999ms);
  CHECK(notes->cancels.empty());
  advance(1ms);
  REQUIRE(notes->cancels.size() == 1);
  CHECK(notes->cancels[0].tool_call_id == "a");
  CHECK(got->names().back() == "MODEL_RESPONSE_WAITING");
  CHECK(contains(body(), "The tool did not answer within 2000 ms."));
  end_call("late");
  answer({call_chunk(0, "b", "echo", "{}")});
  advance(1s);
  end_call("in time");
  answer({call_chunk(0, "c", "echo", "{}")});
  advance(1999ms); // b's alarm has rung in between
  CHECK(notes->cancels.size() == 1);
  advance(1ms);
  CHECK(notes->cancels.size() == 2);
}

TEST_CASE_METHOD(continued, "what ran here joins the history of a client that has the rest of it",
                 "[actors][session]") {
  const auto ask = [this](const std::string& id, std::vector<chat_message> behind) {
    auto made = with_tool(request("go", id));
    made.ephemeral = true;
    made.messages.insert(made.messages.end(), behind.begin(), behind.end());
    auto got = send(std::move(made));
    run();
    return got;
  };
  const auto first = ask("one", {});
  answer({call_chunk(0, "a", "mine", "{}"), call_chunk(1, "b", "echo", "{}")});
  end_call("from the server");
  std::string call; // no other chat's
  for (const auto& each : first->events)
    if (const auto* made = std::get_if<tool_args_complete>(&each); made && made->client_side)
      call = made->tool_call_id;
  CHECK(call.starts_with("call_"));
  const std::vector<chat_message> told{{role::assistant, "", {}, {{call, "mine", "{}"}}, {}},
                                       {role::tool, "from the client", {}, {}, call}};
  CHECK(counts().sessions == 0);
  for (const auto* id : {"two", "three"}) {
    ask(id, told);
    CHECK(openai_body_fault(body()) == "");
    CHECK(body().find("from the client") < body().find("from the server"));
    CHECK(contains(body(), "from the server"));
    answer({text_chunk("ok")});
  }
  auto other = told;
  other[0].tool_calls[0].id = other[1].tool_call_id = "a"; // as the model called it
  ask("other", other);
  CHECK_FALSE(contains(body(), "from the server"));
  answer({text_chunk("ok")});
  advance(11min); // longer than a chat is kept
  ask("four", told);
  CHECK_FALSE(contains(body(), "from the server"));
}

} // namespace session_continue_test
