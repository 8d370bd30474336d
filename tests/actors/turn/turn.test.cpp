#include "actors/turn/turn.hpp"

#include "tests/actors/turn/turn_fixture.hpp"
#include "tests/support/catch.hpp"

namespace turn_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE_METHOD(turn_fixture, "a plain turn emits the vocabulary in order and one terminal event",
                 "[actors][turn]") {
  auto t = make();
  CHECK(t.take_model_request());
  answer(t, {text_delta{"hel"}, text_delta{"lo"}});
  CHECK(names(t.take_events()) == strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "TEXT", "TEXT",
                                          "MODEL_GENERATION_STOP", "SESSION_END"});
  CHECK(t.over());
  REQUIRE(history.size() == 2);
  CHECK(history[1].text == "hello");
}

TEST_CASE_METHOD(turn_fixture, "chained calls accumulate in the history that the next request sees",
                 "[actors][turn]") {
  auto t = make();
  answer(t, call("a", "echo", R"({"x":1})"), finish_reason::tool_calls);
  auto calls = t.take_calls();
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].server == "one");
  t.on_tool_outcome({"a", errc::none, "first", {"{}"}});
  answer(t, call("b", "sum", "{}"));
  calls = t.take_calls();
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].tool == "add");
  t.on_tool_outcome({"b", errc::none, "second", {"{}"}});
  REQUIRE(history.size() == 5);
  CHECK(history[1].tool_calls[0].id == "a");
  CHECK(history[2].text == "first");
  CHECK(history[3].tool_calls[0].id == "b");
  CHECK(history[4].text == "second");
  CHECK(t.round() == 2);
}

TEST_CASE_METHOD(turn_fixture,
                 "parallel calls end in any order and are told to the model in call order",
                 "[actors][turn]") {
  auto t = make();
  auto both = call("a", "echo", "{}");
  for (auto& each : call("b", "sum", "{}"))
    both.push_back(each);
  answer(t, both);
  CHECK(t.take_calls().size() == 2);
  t.on_tool_outcome({"b", errc::none, "B", {}});
  CHECK_FALSE(t.round() == 1);
  t.on_tool_outcome({"a", errc::none, "A", {}});
  REQUIRE(history.size() == 4);
  CHECK(history[2].tool_call_id == "a");
  CHECK(history[3].tool_call_id == "b");
}

TEST_CASE_METHOD(turn_fixture,
                 "an unknown tool and bad arguments become errors that the model is told",
                 "[actors][turn]") {
  auto t = make();
  auto both = call("a", "nope", "{}");
  for (auto& each : call("b", "echo", "{oops"))
    both.push_back(each);
  answer(t, both);
  CHECK(t.take_calls().empty());
  CHECK(t.round() == 1);
  REQUIRE(history.size() == 4);
  CHECK(history[1].tool_calls[1].arguments == "{}");
  CHECK(history[2].text == "There is no tool called nope.");
  CHECK(history[3].text == "The arguments of echo are not a JSON object.");
}

TEST_CASE_METHOD(turn_fixture, "with max_tool_roundtrips 0 the client runs the tools",
                 "[actors][turn]") {
  auto t = make(0);
  answer(t, call("a", "anything", "{}"));
  auto events = t.take_events();
  CHECK(std::get<tool_args_complete>(events[4]).client_side);
  CHECK(std::get<session_end>(events.back()).reason == finish_reason::tool_calls);
  CHECK(t.take_calls().empty());
}

TEST_CASE_METHOD(turn_fixture, "at the round limit each call still gets exactly one result",
                 "[actors][turn]") {
  auto t = make(1);
  answer(t, call("a", "echo", "{}"));
  CHECK(t.take_calls().size() == 1);
  t.on_tool_outcome({"a", errc::none, "ok", {}});
  answer(t, call("b", "echo", "{}"));
  CHECK(t.over());
  CHECK(t.take_calls().empty());
  REQUIRE(history.size() == 5);
  CHECK(history[4].tool_call_id == "b");
  CHECK(history[4].text.find("1 rounds") != std::string::npos);
}

TEST_CASE_METHOD(turn_fixture, "a call that ended before it was taken is not started",
                 "[actors][turn]") {
  auto t = make(2);
  answer(t, call("a", "echo", "{}"));
  t.on_tool_outcome({"a", errc::server_lost, "the hub is gone", {}});
  CHECK(t.take_calls().empty());
  CHECK(history.back().text == "the hub is gone");
}

TEST_CASE_METHOD(turn_fixture, "an answer that was cut runs no call", "[actors][turn]") {
  auto t = make();
  const auto why =
      GENERATE(finish_reason::length, finish_reason::content_filter, finish_reason::error);
  answer(t, call("a", "echo", "{}"), why);
  CHECK(t.take_calls().empty());
  CHECK(std::get<session_end>(t.take_events().back()).reason == why);
  CHECK(history.back().tool_call_id == "a");
  CHECK(history.back().text.starts_with("The call was not run: "));
}

TEST_CASE_METHOD(turn_fixture, "a whole call of the client's stays so when the answer was cut",
                 "[actors][turn]") {
  tools.tools.insert(tools.tools.begin() + 1, {"mine", "", "{}", "", ""});
  auto t = make();
  answer(t, calls({call("a", "echo"), call("b", "mine")}), finish_reason::length);
  CHECK(t.take_calls().empty());
  CHECK(std::get<session_end>(t.take_events().back()).reason == finish_reason::tool_calls);
  CHECK(history.back().tool_call_id == "a");
}

TEST_CASE_METHOD(turn_fixture,
                 "an abort in the streaming phase closes what is open and keeps the text",
                 "[actors][turn]") {
  auto t = make();
  model_output output;
  output.events = {text_delta{"par"}, tool_args_start{"a", "echo"}};
  t.on_model(output);
  t.abort("client");
  CHECK(names(t.take_events()) == strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "TEXT",
                                          "TOOL_ARGS_START", "TOOL_ARGS_COMPLETE", "ABORT",
                                          "SESSION_END"});
  REQUIRE(history.size() == 2);
  CHECK(history[1].text == "par");
  CHECK(history[1].tool_calls.empty());
}

TEST_CASE_METHOD(turn_fixture, "an abort in the tool phase gives running calls an error result",
                 "[actors][turn]") {
  auto t = make();
  answer(t, call("a", "echo", "{}"));
  t.take_events();
  t.abort("stop");
  CHECK(names(t.take_events()) == strings{"MCP_TOOL_ERROR", "ABORT", "SESSION_END"});
  REQUIRE(history.size() == 3);
  CHECK(history[2].tool_call_id == "a");
  t.on_tool_outcome({"a", errc::none, "late", {}});
  CHECK(t.take_events().empty());
}

TEST_CASE_METHOD(turn_fixture, "a failed answer ends the turn with one SESSION_ERROR",
                 "[actors][turn]") {
  auto t = make();
  model_output output;
  output.events = {text_delta{"x"}};
  output.over = true;
  output.error = errc::model_stream_cut;
  t.on_model(output);
  auto events = t.take_events();
  CHECK(names(events) ==
        strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "TEXT", "SESSION_ERROR"});
  CHECK(std::get<session_error>(events.back()).can_retry);
  t.abort("client");
  CHECK(t.take_events().empty());
}

TEST_CASE_METHOD(turn_fixture, "a long tool result is cut at a character and says so",
                 "[actors][turn]") {
  auto t = make();
  answer(t, call("a", "echo", "{}"));
  std::string text(99, 'x');
  t.on_tool_outcome({"a", errc::none, text + "\xC3\xA9" + text, {}});
  CHECK(history.back().text == text + "\n[cut: the first 99 of 200 bytes]");
}

TEST_CASE_METHOD(turn_fixture,
                 "a server's question reaches the client while its call runs, not later",
                 "[actors][turn]") {
  auto t = make();
  client_ask question{"ask-1", "one", "elicitation/create", "s", {R"({"message":"?"})"}, 1000};
  t.on_client_ask(question);
  answer(t, call("a", "echo", "{}"));
  t.take_events();
  t.on_client_ask(question);
  auto events = t.take_events();
  REQUIRE(names(events) == strings{"MCP_CLIENT_REQUEST"});
  const auto& asked = std::get<mcp_client_request>(events[0]);
  CHECK(asked.request_id == "ask-1");
  CHECK(asked.server == "one");
  CHECK(asked.method == "elicitation/create");
  CHECK(asked.params.text == R"({"message":"?"})");
  CHECK(asked.timeout_ms == 1000);
  t.on_tool_outcome({"a", errc::none, "ok", {}});
  t.take_events();
  t.on_client_ask(question);
  CHECK(t.take_events().empty());
}

TEST_CASE_METHOD(turn_fixture, "a call says whose it is and whether the client answers questions",
                 "[actors][turn]") {
  options.client_requests = GENERATE(false, true);
  auto t = make();
  answer(t, call("a", "echo", "{}"));
  auto calls = t.take_calls();
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].session_id == "s");
  CHECK(calls[0].answers == options.client_requests);
}

TEST_CASE_METHOD(turn_fixture, "usage adds up over the rounds", "[actors][turn]") {
  auto t = make();
  answer(t, call("a", "echo", "{}"));
  t.on_tool_outcome({"a", errc::none, "ok", {}});
  answer(t, {text_delta{"done"}});
  auto end = std::get<session_end>(t.take_events().back());
  CHECK(end.used.total_tokens == 20);
  CHECK(end.roundtrips == 1);
}

TEST_CASE_METHOD(turn_fixture, "a refusal is noted on the user's message, until that is answered",
                 "[actors][turn]") {
  const auto end_with = [](turn& t, bool refused) {
    model_output output;
    output.over = true;
    output.reason = refused ? finish_reason::content_filter : finish_reason::stop;
    output.refused = refused;
    t.on_model(output);
  };
  auto first = make();
  first.take_changed();
  end_with(first, true);
  CHECK(history.size() == 1); // an empty answer is no message
  CHECK(history[0].refused);
  CHECK(first.take_changed() == 0);

  auto again = make();
  again.take_changed();
  end_with(again, false);
  CHECK_FALSE(history[0].refused);
  CHECK(again.take_changed() == 0);
}

} // namespace turn_test
