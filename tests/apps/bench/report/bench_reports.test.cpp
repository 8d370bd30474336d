// The reports of troupe-bench, of a made-up outcome.
#include <catch2/catch.hpp>

#include "apps/bench/report/figure_rows.hpp"
#include "apps/bench/report/figures.hpp"
#include "apps/bench/report/reports.hpp"
#include "messages/wire/json/json_source.hpp"
#include "tests/apps/bench/report/bench_outcome.hpp"

namespace troupe::bench::bench_reports_test {

namespace {

using Catch::Contains;

/// Returns the value at a path of member names and positions of elements.
std::string at(const std::string& json, std::initializer_list<const char*> path) {
  json_source source{json};
  REQUIRE(source.fault() == "");
  auto value = source.root();
  for (std::string key : path) {
    std::string_view found;
    size_t index = 0;
    if (kind_of(value) == json_kind::array)
      for_each_element(value, [&](std::string_view each) {
        found = std::to_string(index++) == key ? each : found;
        return true;
      });
    else
      read_members(value, {{key, &found}});
    value = found;
  }
  return std::string{value};
}

std::string line_with(const std::string& text, const std::string& what) {
  auto found = text.find(what);
  if (found == std::string::npos)
    return "";
  auto begin = text.rfind('\n', found) + 1;
  return text.substr(begin, text.find('\n', found) - begin);
}

} // namespace

TEST_CASE("the main run is the one at the median of turns per second", "[apps][bench]") {
  auto outcome = made_up_outcome(3);
  outcome.runs[0].ended_within = 3000;
  outcome.runs[1].ended_within = 1000;
  outcome.runs[2].ended_within = 2000;
  CHECK(&representative_run(outcome) == &outcome.runs[2]);
  for (auto& each : outcome.runs)
    each.ended_within = 1000;
  CHECK(&representative_run(outcome) == &outcome.runs[1]);
}

TEST_CASE("the main run of a sweep is the one at its knee", "[apps][bench]") {
  auto outcome = made_up_sweep();
  CHECK(&representative_run(outcome) == &outcome.runs[1]);
  CHECK(run_name(outcome, 2) == "400/s");
  outcome.knee = 0;
  CHECK(&representative_run(outcome) == &outcome.runs[0]);
  std::swap(outcome.runs[0], outcome.runs[2]); // in whatever order they ran
  CHECK(&representative_run(outcome) == &outcome.runs[2]);
}

TEST_CASE("the knee of a sweep that ended early is a bound", "[apps][bench]") {
  auto outcome = made_up_sweep();
  outcome.ended_early = true;
  CHECK_THAT(knee_text(outcome), Catch::Contains("at least 200 sessions/s"));
  outcome.knee = 0;
  CHECK_THAT(knee_text(outcome), Catch::Contains("not found"));
}

TEST_CASE("an outcome is doubted when one of its runs is invalid", "[apps][bench]") {
  auto outcome = made_up_outcome(3);
  CHECK(doubts(outcome).empty());
  outcome.runs[0].invalid = {"late"};
  outcome.runs[2].invalid = {"late", "busy"};
  CHECK(doubts(outcome) == std::vector<std::string>{"late", "busy"});
  CHECK(doubts({}).size() == 1);
}

TEST_CASE("a sweep is doubted when the step after its knee was the generator's limit",
          "[apps][bench]") {
  auto outcome = made_up_sweep();
  outcome.runs[0].invalid = {"the first step does not count"};
  CHECK(doubts(outcome).empty());
  outcome.runs[2].invalid = {"busy"};
  CHECK(doubts(outcome) == std::vector<std::string>{"busy"});
}

TEST_CASE("the steps of a sweep are ordered by their load, runs are not", "[apps][bench]") {
  auto sweep = made_up_sweep();
  std::swap(sweep.runs[0], sweep.runs[2]);
  sort_steps(sweep);
  CHECK(run_name(sweep, 0) == "100/s");
  CHECK(run_name(sweep, 2) == "400/s");
  auto repeats = made_up_outcome(2);
  repeats.runs[0].started = 7;
  sort_steps(repeats);
  CHECK(repeats.runs[0].started == 7);
}

TEST_CASE("figures for people are short", "[apps][bench]") {
  CHECK(count_text(7) == "7");
  CHECK(count_text(1'234'567) == "1,234,567");
  CHECK(bytes_text(512) == "512 B");
  CHECK(bytes_text(28'000) == "27.3 KiB");
  CHECK(bytes_text(1024 * 1024 - 1) == "1.0 MiB");
  CHECK(percent_text(1) == "100.00 %");
  CHECK(percent_text(0.99999) == "99.99 %");
  CHECK(percent_text(0.29) == "29.00 %");
}

TEST_CASE("the table shows verdict, quantiles, counts and cost", "[apps][bench]") {
  auto outcome = made_up_outcome();
  outcome.objectives = {
      {{"first_text:p99<0.5ms", "first_text", 0.99, true, 5e5}, 9.9e5, true, false}};
  auto text = report_table(made_up_head(), outcome, false);
  CHECK_THAT(line_with(text, "target"), Contains("troupe http://127.0.0.1:8080"));
  CHECK_THAT(line_with(text, "verdict"), Contains("valid"));
  CHECK_THAT(line_with(text, "ceiling"),
             Contains("without any transport") && Contains("40,000 turns/s"));
  CHECK_THAT(line_with(text, "first_text  "), Contains("1,000") && Contains("500 us"));
  CHECK_THAT(line_with(text, "turns  "), Contains("1,003 started") && Contains("2 failed"));
  CHECK_THAT(line_with(text, "failures"), Contains("2 model_timeout (too slow)"));
  CHECK_THAT(line_with(text, "model's count"),
             Contains("10.0 input and 50.0 output tokens per turn, 4,000 output tokens/s; only 800 "
                      "of 1,000 turns were counted"));
  CHECK_THAT(line_with(text, "process"), Contains("500 us CPU per turn") && Contains("24.0 MiB"));
  CHECK_THAT(line_with(text, "objective"), Contains("990 us, MISSED"));
  CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("an objective says of how many runs it was judged", "[apps][bench]") {
  objective_outcome one{{"turn:p99<1ms", "turn", 0.99, true, 1e6}, 2e6, true, false};
  CHECK(found_text(one) == "2.00 ms");
  one.why = "2 of 9 turns failed";
  CHECK(found_text(one) == "2.00 ms, but 2 of 9 turns failed");
  one.why.clear();
  one.runs = 5;
  one.runs_met = 2;
  CHECK(found_text(one) == "2.00 ms (the median of 5 runs; 2 met it)");
  auto outcome = made_up_outcome();
  outcome.objectives = {one};
  CHECK(at(report_json(made_up_head(), outcome), {"objectives", "0", "runs_met"}) == "2");
}

TEST_CASE("the table of an invalid run says so and why", "[apps][bench]") {
  auto outcome = made_up_outcome();
  outcome.runs[0].invalid = {"starts were 12 ms late"};
  auto text = report_table(made_up_head(), outcome, true);
  CHECK_THAT(text, Contains("INVALID") && Contains("starts were 12 ms late") && Contains("\x1b["));
}

TEST_CASE("the table of a sweep has a row for each step and the knee", "[apps][bench]") {
  auto text = report_table(made_up_head(), made_up_sweep(), false);
  CHECK_THAT(line_with(text, "400/s"), Contains("100.0"));
  CHECK_THAT(line_with(text, "200/s"), Contains("shown below"));
  CHECK_THAT(line_with(text, "knee"), Contains("200 sessions/s"));
}

TEST_CASE("the table lets no text of a target steer the terminal", "[apps][bench]") {
  auto outcome = made_up_outcome();
  outcome.runs[0].failures = {{nasty, 1}};
  outcome.runs[0].failure_texts = {{nasty, nasty}};
  outcome.runs[0].plan.target.model = nasty;
  outcome.runs[0].invalid = {nasty};
  auto text = report_table(made_up_head(), outcome, false);
  CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("a report of nothing says that", "[apps][bench]") {
  CHECK(report_table(made_up_head(), {}, false) == "Nothing was run.\n");
  CHECK(at(report_json(made_up_head(), {}), {"valid"}) == "false");
  CHECK(report_csv({}) == "run,load,kind,figure,at,value\n");
}

TEST_CASE("JSON has the figures under stable names", "[apps][bench]") {
  auto json = report_json(made_up_head(), made_up_outcome());
  CHECK(at(json, {"format"}) == "1");
  CHECK(at(json, {"machine", "cores"}) == "4");
  CHECK(at(json, {"valid"}) == "true");
  CHECK(at(json, {"main_run"}) == "0");
  CHECK(at(json, {"plan", "bounds", "length_ns"}) == "10000000000");
  CHECK(at(json, {"plan", "target", "kind"}) == "\"troupe\"");
  CHECK(at(json, {"runs", "0", "turns_per_second"}) == "100");
  CHECK(at(json, {"runs", "0", "counted_within"}) == "800");
  CHECK(at(json, {"runs", "0", "input_tokens"}) == "8000");
  CHECK(at(json, {"runs", "0", "output_tokens"}) == "40000");
  CHECK(at(json, {"runs", "0", "failures", "model_timeout"}) == "2");
  CHECK(at(json, {"runs", "0", "failure_texts", "model_timeout"}) == "\"too slow\"");
  CHECK(at(json, {"runs", "0", "cpu_per_turn_ns"}) == "500000");
  CHECK(at(json, {"runs", "0", "cpu_per_token_ns"}) == "10000");
  CHECK(at(json, {"runs", "0", "times", "first_text", "count"}) == "1000");
  CHECK(number_of(at(json, {"runs", "0", "times", "turn", "p99_9_ns"})) ==
        Approx(9.99e6).epsilon(0.001));
  CHECK(at(json, {"runs", "0", "times", "cancel"}) == "");
  CHECK(at(json, {"runs", "0", "timeline", "1", "first_text_p99_ns"}) == "800000");
  CHECK(at(json, {"runs", "0", "watched", "rss_most_bytes"}) == "25165824");
}

TEST_CASE("JSON names header fields without their values", "[apps][bench]") {
  auto outcome = made_up_outcome();
  auto& target = outcome.runs[0].plan.target;
  target.url = "http://me:hidden@host";
  target.fields = {{"authorization", "hidden"}};
  target.config = R"({"mcpServers":{"server":{"headers":{"a":"hidden"}}}})";
  auto json = report_json(made_up_head(), outcome);
  CHECK(at(json, {"plan", "target", "headers"}) == R"(["authorization"])");
  CHECK(json.find("hidden") == std::string::npos);
}

TEST_CASE("the command of a report is for a shell and without secrets", "[apps][bench]") {
  const char* line[] = {"/usr/bin/troupe-bench", "http://a:b@c", "--header", "X-Key: hidden",
                        "--header=Y: hidden",    "--text",       "it's",     ""};
  CHECK(shown_command(8, line) ==
        "troupe-bench http://c --header 'X-Key: ...' '--header=Y: ...' --text 'it'\\''s' ''");
}

TEST_CASE("CSV has one figure per line", "[apps][bench]") {
  auto outcome = made_up_outcome();
  outcome.runs[0].failures = {{"a,\"b\"", 2}};
  auto csv = report_csv(outcome);
  CHECK(csv.rfind("run,load,kind,figure,at,value\n", 0) == 0);
  CHECK_THAT(csv, Contains("\nrun 1,100,total,started,,1003\n"));
  CHECK_THAT(csv, Contains("\nrun 1,100,total,output_tokens,,40000\n"));
  CHECK_THAT(csv, Contains("\nrun 1,100,total,failures,\"a,\"\"b\"\"\",2\n"));
  CHECK_THAT(csv, Contains("\nrun 1,100,quantile,first_text_ns,0.5,500"));
  CHECK_THAT(csv, Contains("\nrun 1,100,second,ended,1,100\n"));
  CHECK_THAT(csv, Contains("\nrun 1,100,total,watched_rss_most_bytes,,25165824\n"));
}

TEST_CASE("an hgrm file has HdrHistogram's columns in milliseconds", "[apps][bench]") {
  auto run = made_up_run();
  auto text = report_hgrm(run[metric::first_text]);
  CHECK(text.rfind("       Value     Percentile TotalCount 1/(1-Percentile)\n\n", 0) == 0);
  CHECK_THAT(line_with(text, " 0.500000000000 "),
             Contains("0.500") && Contains("500 ") && Contains("2.00"));
  CHECK_THAT(line_with(text, " 1.000000000000 "), Contains("1000"));
  CHECK_THAT(text, Contains("#[Mean    =     0.500") && Contains("Total count    =         1000]"));
}

} // namespace troupe::bench::bench_reports_test
