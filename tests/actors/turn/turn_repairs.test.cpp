// Calls that a model writes sloppily are what it meant, wherever they go.
#include "actors/turn/turn.hpp"

#include "messages/json.hpp"
#include "tests/actors/turn/turn_fixture.hpp"
#include "tests/actors/turn/turn_grammar.hpp"
#include "tests/support/catch.hpp"

namespace turn_repairs_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE_METHOD(turn_fixture, "a call with blanks around its name runs under the tool's name",
                 "[actors][turn]") {
  for (const char* written : {" echo", "echo ", "echo\n", "`echo`", "functions.echo", "Echo"}) {
    INFO("name: " << written);
    history.resize(1);
    auto t = make();
    answer(t, call("a", written));
    auto calls = t.take_calls();
    REQUIRE(calls.size() == 1);
    CHECK(calls[0].server == "one");
    CHECK(calls[0].tool == "echo");
    t.on_tool_outcome({"a", errc::none, "ok", {"{}"}});
    auto events = t.take_events();
    CHECK(last<tool_args_start>(events).tool_name == "echo");
    CHECK(last<tool_args_complete>(events).tool_name == "echo");
    CHECK(last<mcp_tool_start>(events).tool_name == "echo");
    CHECK(last<mcp_tool_success>(events).tool_name == "echo");
    CHECK(history.at(1).tool_calls.at(0).name == "echo");
    t.abort("stop");
    auto repaired = t.take_report().repaired;
    REQUIRE(repaired.size() == 1);
    CHECK(repaired[0].tool == "echo");
    CHECK_FALSE(repaired[0].what.empty());
  }
}

TEST_CASE_METHOD(turn_fixture, "a name that nobody has stays an error, as it was written",
                 "[actors][turn]") {
  auto t = make();
  answer(t, calls({call("a", " nope "), call("b", "")}));
  auto complete = last<tool_args_complete>(t.take_events());
  CHECK(complete.error == errc::tool_unknown);
  CHECK(history[2].text == "There is no tool called  nope .");
  CHECK(history_problem(history, false) == "");
  t.abort("stop");
  CHECK(t.take_report().repaired.empty());
}

TEST_CASE_METHOD(turn_fixture, "mended arguments go to the server, the client and the history",
                 "[actors][turn]") {
  struct row {
    const char* written;
    const char* meant;
  };
  const std::vector<row> rows{
      {R"("{\"a\":1}")", R"({"a":1})"},
      {R"({"a":1}{"a":1})", R"({"a":1})"},
      {"{\"a\":\"x\ny\"}", R"({"a":"x\ny"})"},
      {"```json\n{\"a\":1}\n```", R"({"a":1})"},
      {"null", "{}"},
      {R"({"a":"\ud83d b"})", "{\"a\":\"\xEF\xBF\xBD b\"}"},
  };
  for (const auto& each : rows) {
    INFO("arguments: " << each.written);
    history.resize(1);
    auto t = make();
    answer(t, call("a", "echo", each.written));
    auto calls = t.take_calls();
    REQUIRE(calls.size() == 1);
    CHECK(calls[0].arguments == each.meant);
    auto events = t.take_events();
    CHECK(last<tool_args_delta>(events).delta == each.written);
    auto complete = last<tool_args_complete>(events);
    CHECK(complete.error == errc::none);
    CHECK(complete.arguments.text == each.meant);
    CHECK(history.at(1).tool_calls.at(0).arguments == each.meant);
    t.abort("stop");
    CHECK(t.take_report().repaired.size() == 1);
  }
}

TEST_CASE_METHOD(turn_fixture, "arguments without a reading are refused, and shown as written",
                 "[actors][turn]") {
  for (const char* written : {R"({"a":1}{"a":2})", R"({"a":)", "hello", R"({"a":1}, "b":2})"}) {
    INFO("arguments: " << written);
    history.resize(1);
    auto t = make();
    answer(t, call("a", " echo", written));
    CHECK(t.take_calls().empty());
    auto complete = last<tool_args_complete>(t.take_events());
    CHECK(complete.error == errc::tool_arguments_invalid);
    CHECK(complete.arguments.text == to_json(std::string{written}));
    CHECK(history.at(1).tool_calls.at(0).arguments == "{}");
    CHECK(history.at(2).text == "The arguments of echo are not a JSON object.");
  }
}

TEST_CASE_METHOD(with_client_tool, "a sloppy call of the client's tool is the client's",
                 "[actors][turn]") {
  auto t = make();
  answer(t, call("a", "mine\n", R"("{\"a\":1}")"), finish_reason::tool_calls);
  auto events = t.take_events();
  CHECK(last<tool_args_start>(events).client_side);
  CHECK(last<tool_args_start>(events).tool_name == "mine");
  CHECK(last<tool_args_complete>(events).arguments.text == R"({"a":1})");
  REQUIRE(open_calls(history).size() == 1);
  CHECK(open_calls(history)[0].name == "mine");
}

TEST_CASE_METHOD(turn_fixture, "calls of an answer that was cut are not run, mended or not",
                 "[actors][turn]") {
  auto t = make();
  answer(t, call("a", "echo", R"({"a":1}{"a":1})"), finish_reason::length);
  CHECK(t.take_calls().empty());
  REQUIRE(t.over());
  CHECK(history.back().text == "The call was not run: the answer was cut at its maximum length.");
}

TEST_CASE_METHOD(turn_fixture, "the same call written in two ways is the same call",
                 "[actors][turn]") {
  limits.max_identical_calls = 1;
  auto t = make();
  answer(t, call("a", "echo", R"({"a":1})"));
  t.on_tool_outcome({"a", errc::none, "ok", {"{}"}});
  answer(t, call("b", " echo", R"("{\"a\":1}")"));
  CHECK(last<mcp_tool_error>(t.take_events()).error == errc::tool_calls_repeated);
}

TEST_CASE_METHOD(turn_fixture, "half a character in what goes back to the provider is mended",
                 "[actors][turn]") {
  auto t = make();
  auto events = call("a", "echo");
  std::get<tool_args_complete>(events.back()).provider_metadata.text = R"({"g":"\ud83d"})";
  model_output output;
  output.events = events;
  output.over = true;
  output.reason = finish_reason::tool_calls;
  output.provider_metadata = R"({"openai":"\ude00"})";
  t.on_model(output);
  CHECK(history.at(1).tool_calls.at(0).provider_metadata == "{\"g\":\"\xEF\xBF\xBD\"}");
  CHECK(history.at(1).provider_metadata == "{\"openai\":\"\xEF\xBF\xBD\"}");
}

} // namespace turn_repairs_test
