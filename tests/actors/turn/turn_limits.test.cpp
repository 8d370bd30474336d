// The bounds of a turn, and what happens at each.
#include "actors/turn/turn.hpp"
#include "tests/actors/turn/turn_fixture.hpp"
#include "tests/actors/turn/turn_grammar.hpp"
#include "tests/support/catch.hpp"

namespace turn_limits_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE_METHOD(turn_fixture, "more calls in a round than are allowed are refused, the others run",
                 "[actors][turn]") {
  limits.max_calls_per_round = 2;
  auto t = make();
  answer(t, calls({call("a", "echo"), call("b", "sum"), call("c", "echo"), call("d", "sum")}));
  CHECK(t.running_calls() == strings{"a", "b"});
  auto error = last<mcp_tool_error>(t.take_events());
  CHECK(error.tool_call_id == "d");
  CHECK(error.error == errc::too_many_tool_calls);
}

TEST_CASE_METHOD(turn_fixture, "the same call is not run more often than the limit says",
                 "[actors][turn]") {
  limits.max_identical_calls = 2;
  limits.max_tool_roundtrips = 9;
  auto t = make();
  for (const auto* id : {"a", "b"}) {
    answer(t, call(id, "echo", R"({"x":1})"));
    CHECK(t.running_calls() == strings{id});
    t.on_tool_outcome({id, errc::none, "same", {}});
  }
  t.take_events();
  answer(t, calls({call("c", "echo", R"({"x":1})"), call("d", "echo", R"({"x":2})")}));
  CHECK(t.running_calls() == strings{"d"});
  CHECK(last<mcp_tool_error>(t.take_events()).error == errc::tool_calls_repeated);
  t.on_tool_outcome({"d", errc::none, "other", {}});
  CHECK_FALSE(t.over());
}

TEST_CASE_METHOD(turn_fixture, "the same call many times in one round counts once",
                 "[actors][turn]") {
  limits.max_identical_calls = 1;
  auto t = make();
  answer(t, calls({call("a", "echo"), call("b", "echo"), call("c", "echo")}));
  CHECK(t.running_calls() == strings{"a", "b", "c"});
  for (const auto* id : {"a", "b", "c"})
    t.on_tool_outcome({id, errc::none, "same", {}});
  answer(t, call("d", "echo"));
  CHECK(last<mcp_tool_error>(t.take_events()).error == errc::tool_calls_repeated);
}

TEST_CASE_METHOD(turn_fixture, "a turn over its tokens does not go on, and one that is done is",
                 "[actors][turn]") {
  limits.max_turn_tokens = 15; // an answer has 10
  auto t = make();
  answer(t, call("a", "echo"));
  t.on_tool_outcome({"a", errc::none, "ok", {}});
  t.take_calls();
  t.take_events();
  SECTION("calls are not run") {
    answer(t, call("b", "echo"));
    CHECK(t.take_calls().empty());
    auto error = last<session_error>(t.take_events());
    CHECK(error.error == errc::turn_limit_reached);
    CHECK(error.error_text == "The turn reached its limit of 15 tokens.");
    CHECK(history.back().tool_call_id == "b");
  }
  SECTION("an answer is an answer") {
    answer(t, {text_delta{"done"}});
    CHECK(last<session_end>(t.take_events()).reason == finish_reason::stop);
  }
  CHECK(history_problem(history, false) == "");
}

TEST_CASE_METHOD(turn_fixture, "an answer over its bytes ends the turn as soon as it is",
                 "[actors][turn]") {
  limits.max_turn_bytes = 10 + 4 * turn_budget::piece_bytes;
  auto t = make();
  model_output output;
  output.events = {reasoning_delta{"1234"}, text_delta{"5678"}, tool_args_start{"a", "echo"},
                   tool_args_delta{"a", "{\""}};
  t.on_model(output);
  CHECK_FALSE(t.over());
  output.events = {tool_args_delta{"a", "x"}};
  t.on_model(output);
  REQUIRE(t.over());
  auto events = t.take_events();
  CHECK(last<tool_args_complete>(events).error == errc::turn_limit_reached);
  CHECK(last<session_error>(events).error == errc::turn_limit_reached);
  CHECK(history.back().text == "5678");
  CHECK(history_problem(history, false) == "");
}

TEST_CASE_METHOD(turn_fixture, "an answer over its bytes that comes at once ends the turn, too",
                 "[actors][turn]") {
  limits.max_turn_bytes = 10;
  auto t = make();
  answer(t, {text_delta{"more than ten"}});
  REQUIRE(t.over());
  CHECK(last<session_error>(t.take_events()).error == errc::turn_limit_reached);
  CHECK(history.back().text == "more than ten");
  CHECK(t.take_report().requests.size() == 1);
}

TEST_CASE_METHOD(turn_fixture, "pieces count also where they bring next to nothing",
                 "[actors][turn]") {
  constexpr size_t most = 100;
  limits.max_turn_bytes = most * turn_budget::piece_bytes;
  auto t = make();
  const auto which = GENERATE(0, 1, 2, 3);
  const std::vector<event> kinds{text_delta{"x"}, reasoning_delta{""}, text_delta{""},
                                 tool_args_delta{"a", "1"}};
  size_t pieces = 0;
  for (; !t.over() && pieces <= 2 * most; ++pieces) {
    model_output output;
    output.events = {kinds[static_cast<size_t>(which)]};
    t.on_model(output);
  }
  CHECK(t.over());
  CHECK(pieces <= most + 1);
  CHECK(pieces > most / 2);
  const auto error = last<session_error>(t.take_events());
  CHECK(error.error == errc::turn_limit_reached);
  CHECK(error.error_text == "The turn reached its limit of 6400 bytes of the model's output (each "
                            "piece counts 64 more).");
}

TEST_CASE_METHOD(turn_fixture, "large pieces reach the limit by their text", "[actors][turn]") {
  limits.max_turn_bytes = 1000 + turn_budget::piece_bytes;
  auto t = make();
  model_output output;
  output.events = {text_delta{std::string(1000, 'x')}};
  t.on_model(output);
  CHECK_FALSE(t.over());
  output.events = {text_delta{"y"}};
  t.on_model(output);
  CHECK(t.over());
}

TEST_CASE_METHOD(turn_fixture, "without a limit of bytes pieces are not counted",
                 "[actors][turn]") {
  limits.max_turn_bytes = 0;
  auto t = make();
  model_output output;
  for (int i = 0; i < 10'000; ++i)
    output.events.emplace_back(text_delta{"x"});
  t.on_model(output);
  CHECK_FALSE(t.over());
}

TEST_CASE_METHOD(turn_fixture, "a call that takes too long is given up, and the turn goes on",
                 "[actors][turn]") {
  limits.tool_timeout = 2s;
  auto t = make();
  answer(t, calls({call("a", "echo"), call("b", "sum")}));
  CHECK(t.next_due() == now + 2s);
  now += 1s;
  t.on_tool_outcome({"b", errc::none, "B", {}});
  now += 1s;
  CHECK(t.expire() == strings{"a"});
  CHECK(t.round() == 1);
  CHECK(t.next_due() == turn::time_point::max());
  CHECK(history[2].text == "The tool did not answer within 2000 ms.");
  now += 1s;
  auto report = t.take_report();
  REQUIRE(report.tools.size() == 2);
  CHECK(report.tools[0].tool == "add");
  CHECK(report.tools[0].total_us == 1'000'000);
  CHECK(report.tools[1].error == errc::tool_timeout);
  CHECK(report.total_us == 3'000'000);
}

TEST_CASE_METHOD(turn_fixture, "without a limit nothing is due", "[actors][turn]") {
  limits.tool_timeout = 0s;
  limits.approval.timeout = 0s;
  limits.approval.tools = {"two/add"};
  auto t = make();
  answer(t, calls({call("a", "echo"), call("b", "sum")}));
  CHECK(t.next_due() == turn::time_point::max());
}

} // namespace turn_limits_test
