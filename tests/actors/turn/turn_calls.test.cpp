// Whose the calls of a turn are, and what goes with them and their results.
#include "actors/turn/turn.hpp"
#include "tests/actors/turn/turn_fixture.hpp"
#include "tests/actors/turn/turn_grammar.hpp"
#include "tests/support/catch.hpp"

namespace turn_calls_test {

using namespace troupe;
using namespace troupe::test;

// -- the client's tools --------------------------------------------------------------------------

TEST_CASE_METHOD(with_client_tool, "a tool of the client is the client's to run in any mode",
                 "[actors][turn]") {
  auto t = make();
  answer(t, call("a", "mine"), finish_reason::tool_calls);
  auto events = t.take_events();
  CHECK(last<tool_args_start>(events).client_side);
  CHECK(last<tool_args_complete>(events).client_side);
  CHECK(last<session_end>(events).reason == finish_reason::tool_calls);
  CHECK(last<session_end>(events).roundtrips == 0);
  CHECK(t.take_calls().empty());
  CHECK(open_calls(history).size() == 1);
}

TEST_CASE_METHOD(with_client_tool,
                 "a call of a tool whose name was changed says what people call it",
                 "[actors][turn]") {
  tools.tools.push_back({"zz_1", "", "{}", "one", "погода", false, "Weather"});
  auto t = make();
  answer(t, calls({call("a", "zz_1"), call("b", "zz_1", "{oops"), call("c", "echo")}));
  auto events = t.take_events();
  strings titles;
  for (const auto& each : events) {
    if (const auto* start = std::get_if<tool_args_start>(&each))
      titles.push_back(start->title);
    else if (const auto* complete = std::get_if<tool_args_complete>(&each))
      titles.push_back(complete->title);
  }
  const std::string label = "Weather (погода)";
  CHECK(titles == strings{label, label, label, label, "", ""});
}

TEST_CASE_METHOD(with_client_tool,
                 "a round that mixes runs the server's calls, and ends the turn with their results",
                 "[actors][turn]") {
  auto t = make();
  answer(t, calls({call("a", "mine"), call("b", "echo"), call("c", "nope")}));
  CHECK_FALSE(t.over());
  auto started = t.take_calls();
  REQUIRE(started.size() == 1);
  CHECK(started[0].tool_call_id == "b");
  t.take_model_request();
  t.on_tool_outcome({"b", errc::none, "B", {"{}"}});
  REQUIRE(t.over());
  CHECK_FALSE(t.take_model_request());
  auto end = last<session_end>(t.take_events());
  CHECK(end.reason == finish_reason::tool_calls);
  CHECK(end.roundtrips == 1);
  REQUIRE(open_calls(history).size() == 1);
  CHECK(open_calls(history)[0].id == "a");
  history.push_back({role::tool, "A", {}, {}, "a"}); // as the next turn brings it
  repair_history(history);
  REQUIRE(history.size() == 5);
  CHECK(history[2].text == "A");
  CHECK(history[3].text == "B");
  CHECK(history[4].text == "There is no tool called nope.");
  CHECK(history_problem(history, false) == "");
}

TEST_CASE_METHOD(with_client_tool, "a call of the client's with broken arguments is told the model",
                 "[actors][turn]") {
  auto t = make();
  answer(t, call("a", "mine", "{oops"));
  CHECK_FALSE(t.over());
  CHECK(t.round() == 1);
  CHECK(history.back().text == "The arguments of mine are not a JSON object.");
  CHECK(history_problem(history, false) == "");
}

TEST_CASE_METHOD(with_client_tool, "at the round limit the client still gets its own calls",
                 "[actors][turn]") {
  auto t = make(1);
  answer(t, call("a", "echo"));
  t.on_tool_outcome({"a", errc::none, "ok", {}});
  answer(t, calls({call("b", "echo"), call("c", "mine")}));
  REQUIRE(t.over());
  REQUIRE(open_calls(history).size() == 1);
  CHECK(open_calls(history)[0].id == "c");
  CHECK(last<mcp_tool_error>(t.take_events()).tool_call_id == "b");
}

TEST_CASE_METHOD(turn_fixture, "a call whose fault has been shown keeps it however its turn ends",
                 "[actors][turn]") {
  auto t = make();
  const auto* fault = "The arguments of echo are not a JSON object.";
  SECTION("with an answer that was cut") {
    answer(t, calls({call("a", "echo", "{oops"), call("b", "echo")}), finish_reason::length);
    CHECK(t.over());
    CHECK(last<tool_args_complete>(t.take_events()).tool_call_id == "b");
  }
  SECTION("with an abort while more of the answer comes") {
    model_output output;
    output.events = calls({call("a", "echo", "{oops"), call("b", "echo")});
    std::get<tool_args_complete>(output.events[2]).error = errc::tool_arguments_invalid;
    std::get<tool_args_complete>(output.events[2]).error_text = fault;
    t.on_model(output);
    t.abort("client");
  }
  SECTION("with a limit that its answer has reached") {
    limits.max_turn_tokens = 5; // an answer has 10
    auto limited = make();
    answer(limited, calls({call("a", "echo", "{oops"), call("b", "echo")}));
    CHECK(last<session_error>(limited.take_events()).error == errc::turn_limit_reached);
  }
  REQUIRE(history.size() == 4);
  CHECK(history[2].text == fault);
  CHECK(history[3].text != fault);
  CHECK(history_problem(history, false) == "");
}

TEST_CASE_METHOD(turn_fixture, "a call that was cut before any of its arguments is none",
                 "[actors][turn]") {
  auto t = make();
  answer(t, calls({call("a", "echo", "")}), finish_reason::length);
  auto events = t.take_events();
  auto shown = last<tool_args_complete>(events);
  CHECK(shown.arguments.text == R"("")"); // so that a client does not send it back
  CHECK(shown.error == errc::tool_arguments_invalid);
  CHECK(shown.error_text == "The answer was cut before the arguments of echo came.");
  CHECK(last<session_end>(events).reason == finish_reason::length);
  CHECK(history.size() == 1);
}

// -- what goes with calls and results ------------------------------------------------------------

TEST_CASE_METHOD(turn_fixture,
                 "a call of a client that keeps the history has an id that no other chat has",
                 "[actors][turn]") {
  tools.tools.push_back({"mine", "", "{}", "", ""});
  options.tools = {tools.tools.back()};
  ephemeral = true;
  const auto id_of = [this](const std::string& name) {
    history.resize(1);
    auto t = make();
    answer(t, call("functions.0", name));
    const auto events = t.take_events();
    const auto id = last<tool_args_start>(events).tool_call_id;
    CHECK(last<tool_args_delta>(events).tool_call_id == id);
    CHECK(last<tool_args_complete>(events).tool_call_id == id);
    CHECK(history.at(1).tool_calls.at(0).id == id);
    return id;
  };
  CHECK(id_of("echo") == "functions.0"); // it runs here, and no client is asked for it
  const auto one = id_of("mine");
  CHECK(one.starts_with("call_"));
  CHECK(one != id_of("mine"));
  SECTION("also where the model says the whole call at once") {
    history.resize(1);
    auto t = make();
    answer(t, {call("functions.0", "mine").back()});
    CHECK(history.at(1).tool_calls.at(0).id.starts_with("call_"));
  }
  SECTION("not where the chat is kept here") {
    ephemeral = false;
    CHECK(id_of("mine") == "functions.0");
  }
  SECTION("not where no tool runs here") {
    tools.tools = {tools.tools.back()};
    CHECK(id_of("mine") == "functions.0");
  }
}

TEST_CASE_METHOD(turn_fixture, "an id that the chat has seen before gets a new one everywhere",
                 "[actors][turn]") {
  auto t = make();
  answer(t, call("a", "echo"));
  t.on_tool_outcome({"a", errc::none, "first", {}});
  t.take_events();
  t.take_calls();
  answer(t, call("a", "echo", R"({"x":2})"));
  auto events = t.take_events();
  auto id = last<tool_args_start>(events).tool_call_id;
  CHECK(id != "a");
  CHECK(last<tool_args_delta>(events).tool_call_id == id);
  CHECK(last<tool_args_complete>(events).tool_call_id == id);
  CHECK(t.take_calls().at(0).tool_call_id == id);
  t.on_tool_outcome({id, errc::none, "second", {}});
  CHECK(history_problem(history, false) == "");
}

TEST_CASE_METHOD(turn_fixture, "images of a result go with its message", "[actors][turn]") {
  auto t = make();
  answer(t, call("a", "echo"));
  t.on_tool_outcome({"a",
                     errc::none,
                     "[image image/png, 3 bytes]",
                     {R"({"content":[{"type":"image","data":"AAAA","mimeType":"image/png"}]})"}});
  REQUIRE(history.back().files.size() == 1);
  CHECK(history.back().files[0].media_type == "image/png");
  CHECK(history.back().files[0].url == "data:image/png;base64,AAAA");
  CHECK(history.back().text == "[image image/png, 3 bytes]");
}

TEST_CASE_METHOD(turn_fixture, "what a provider wants back stays with its calls and its answer",
                 "[actors][turn]") {
  auto t = make();
  model_output output;
  output.events = call("a", "echo");
  std::get<tool_args_complete>(output.events[2]).provider_metadata.text = R"({"g":{"s":"1"}})";
  output.over = true;
  output.provider_metadata = R"({"o":{}})";
  output.report.model = "default";
  t.on_model(output);
  CHECK(history[1].tool_calls[0].provider_metadata == R"({"g":{"s":"1"}})");
  CHECK(history[1].provider_metadata == R"({"o":{}})");
  CHECK(t.take_report().requests.at(0).model == "default");
}

TEST_CASE_METHOD(turn_fixture, "a call carries the trace of its turn", "[actors][turn]") {
  options.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  auto t = make();
  answer(t, call("a", "echo"));
  CHECK(t.take_calls().at(0).traceparent == options.traceparent);
}

TEST_CASE_METHOD(turn_fixture, "an answer without a word is none", "[actors][turn]") {
  auto t = make();
  answer(t, {reasoning_delta{"hm"}, text_delta{" \n"}});
  CHECK(t.over());
  CHECK(history.size() == 1);
}

TEST_CASE_METHOD(turn_fixture, "a report says how the turn ended", "[actors][turn]") {
  options.request_id = "req";
  auto t = make();
  SECTION("well") {
    answer(t, {text_delta{"done"}});
    auto report = t.take_report();
    CHECK(report.error == errc::none);
    CHECK(report.reason == finish_reason::stop);
    CHECK(report.used.total_tokens == 10);
    CHECK(report.session_id == "s");
    CHECK(report.turn_id == "t");
    CHECK(report.request_id == "req");
    CHECK(report.model == "default");
  }
  SECTION("by an abort") {
    t.abort("stop");
    auto report = t.take_report();
    CHECK(report.error == errc::aborted);
    CHECK(report.abort_reason == "stop");
  }
  SECTION("by an error") {
    t.fail({errc::model_timeout, ""});
    CHECK(t.take_report().error == errc::model_timeout);
  }
}

} // namespace turn_calls_test
