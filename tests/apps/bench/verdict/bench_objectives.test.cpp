#include <string>

#include "apps/bench/verdict/objectives.hpp"
#include "tests/support/catch.hpp"

namespace bench_objectives_test {

using namespace troupe;
using namespace troupe::bench;
using namespace std::chrono_literals;

namespace {

objective parsed(const std::string& text) {
  objective out;
  const auto bad = parse_objective(text, out);
  INFO(bad.text());
  REQUIRE_FALSE(bad);
  CHECK(out.text == text);
  return out;
}

run_result a_run() {
  run_result out;
  out.seconds = 10;
  out.started = 110;
  out.ended = out.ended_within = 98;
  out.good = 90;
  out.cancelled = 10;
  out.failures["model_failed"] = 2;
  out.times[size_t(metric::first_text)].record(1ms, 99);
  out.times[size_t(metric::first_text)].record(100ms);
  return out;
}

} // namespace

TEST_CASE("objectives are read with their quantile, side and unit", "[apps][bench]") {
  const auto first = parsed("first_text:p99<0.5ms");
  CHECK(first.figure == "first_text");
  CHECK(first.quantile == Approx(0.99));
  CHECK(first.at_most);
  CHECK(first.limit == Approx(500'000));
  CHECK(parsed("turn:p99.9<=2s").quantile == Approx(0.999));
  CHECK(parsed("turn:max<1m").limit == Approx(60e9));
  CHECK(parsed("turn:max<1m").quantile == 1);
  CHECK(parsed("between_tokens:p50<250us").limit == Approx(250'000));
  CHECK_FALSE(parsed("good>0.99").at_most);
  CHECK(parsed("failed<1%").limit == Approx(0.01));
  CHECK(parsed("turns_per_second>=1500").limit == Approx(1500));
}

TEST_CASE("an objective that cannot be read says what is wrong with it", "[apps][bench]") {
  struct row {
    std::string text, said;
  };
  for (const auto& each : {
           row{"", "there is no < or > in it"},
           row{"first_text:p99", "there is no < or > in it"},
           row{"latency:p99<1ms", "'latency' is not a figure; there are first_event, first_text"},
           row{"first_text<1ms", "first_text is a time and needs a quantile, as first_text:p99"},
           row{"first_text:99<1ms", "'99' is not a quantile"},
           row{"first_text:p101<1ms", "'p101' is not a quantile"},
           row{"first_text:p<1ms", "'p' is not a quantile"},
           row{"first_text:p99<1", "'' is not a unit; take ns, us, ms, s or m"},
           row{"first_text:p99<1h", "'h' is not a unit"},
           row{"first_text:p99<fast", "'fast' is not a time"},
           row{"first_text:p99<-1ms", "'-1ms' is not a time"},
           row{"good:p99>0.9", "good has no quantiles"},
           row{"good>often", "'often' is not a number"},
           row{"good>99", "'99' is above 1; good is a share, as 0.99 or 99%"},
           row{"failed<1%%", "'1%%' is not a number"},
       }) {
    objective out;
    const auto bad = parse_objective(each.text, out);
    CHECK(bad.code == errc::config_invalid);
    CHECK_THAT(bad.message, Catch::Contains(each.said));
    CHECK_THAT(bad.message, Catch::Contains("'" + each.text + "'"));
  }
}

TEST_CASE("objectives are judged by what was measured", "[apps][bench]") {
  const auto run = a_run();
  CHECK(judge(parsed("first_text:p98<1.1ms"), run).met);
  CHECK_FALSE(judge(parsed("first_text:max<50ms"), run).met);
  CHECK(judge(parsed("first_text:max<50ms"), run).found == Approx(100e6).epsilon(0.001));
  CHECK(judge(parsed("good>=0.9"), run).met); // 90 of the 100 that were not cancelled
  CHECK_FALSE(judge(parsed("good>0.91"), run).met);
  CHECK(judge(parsed("failed<2%"), run).met);
  CHECK_FALSE(judge(parsed("failed<1%"), run).met);
  CHECK(judge(parsed("turns_per_second>9"), run).found == Approx(9.8));
}

TEST_CASE("a time is not met where more turns failed than its quantile leaves room for",
          "[apps][bench]") {
  const auto run = a_run(); // of 100 turns that were not cancelled 2 failed
  CHECK(judge(parsed("first_text:p98<1m"), run).met);
  const auto missed = judge(parsed("first_text:p99<1m"), run);
  CHECK_FALSE(missed.met);
  CHECK(missed.measured);
  CHECK(missed.why == "2 of 100 turns failed");
  CHECK_FALSE(judge(parsed("first_text:max<1m"), run).met);
  auto timed = run;
  for (auto which : {metric::between_tokens, metric::lag, metric::cancel})
    timed.times[size_t(which)].record(1ms);
  CHECK_FALSE(judge(parsed("between_tokens:p99<1m"), timed).met);
  CHECK(judge(parsed("lag:p99<1m"), timed).met); // the generator's own
  CHECK(judge(parsed("cancel:p99<1m"), timed).met);
}

TEST_CASE("what was not measured is not met", "[apps][bench]") {
  const auto none = judge(parsed("tool:p50<1s"), a_run());
  CHECK_FALSE(none.measured);
  CHECK_FALSE(none.met);
  CHECK_FALSE(judge(parsed("failed<1%"), run_result{}).met);
}

TEST_CASE("repeats are judged by the median of the very figure", "[apps][bench]") {
  std::vector<run_result> runs;
  for (auto text : {1ms, 2ms, 3ms, 4ms}) {
    runs.emplace_back(a_run());
    runs.back().failures.clear();
    runs.back().times[size_t(metric::first_text)] = {};
    runs.back().times[size_t(metric::first_text)].record(text, 100);
    runs.back().ended_within = text == 2ms ? 1 : 98; // the slowest is not in the middle
  }
  const auto even = judge(parsed("first_text:p99<2.5ms"), runs);
  CHECK_FALSE(even.met); // two of four met it
  CHECK(even.found == Approx(3e6).epsilon(0.001));
  CHECK((even.runs == 4 && even.runs_met == 2));
  runs.pop_back();
  const auto odd = judge(parsed("first_text:p99<2.5ms"), runs);
  CHECK(odd.met);
  CHECK(odd.found == Approx(2e6).epsilon(0.001));
  CHECK((odd.runs == 3 && odd.runs_met == 2));
  CHECK(judge(parsed("turns_per_second>9"), runs).found == Approx(9.8));
  runs[0].times[size_t(metric::first_text)] = {};
  runs[1].times[size_t(metric::first_text)] = {};
  CHECK_FALSE(judge(parsed("first_text:p99<2.5ms"), runs).measured);
}

} // namespace bench_objectives_test
