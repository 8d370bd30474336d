#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "apps/bench/plan/plan_text.hpp"
#include "apps/bench/verdict/sweep.hpp"
#include "tests/support/catch.hpp"

namespace bench_sweep_test {

using namespace troupe::bench;
using namespace std::chrono_literals;

namespace {

/// A target that serves `places` turns at once, each for `takes` seconds, as arithmetic.
struct ideal_target {
  double places = 100;
  double takes = 0.5;
  std::vector<std::string> steps;

  double capacity() const { return places / takes; }

  run_result operator()(const bench_plan& plan, const std::string& step) {
    steps.push_back(step);
    run_result out;
    out.plan = plan;
    out.seconds = std::chrono::duration<double>(plan.bounds.length).count();
    const bool closed = plan.arrivals.kind == arrival_kind::concurrency;
    const double asked = closed ? plan.arrivals.concurrency / takes : plan.arrivals.rate;
    const double done = std::min(asked, capacity());
    out.started = static_cast<uint64_t>(std::lround((closed ? done : asked) * out.seconds));
    out.ended = out.started;
    out.ended_within = static_cast<uint64_t>(std::lround(done * out.seconds));
    out.running_growth = static_cast<int64_t>(out.started - out.ended_within);
    out.times[size_t(metric::turn)].record(500ms, out.ended);
    return out;
  }
};

bench_plan sweep_of(arrival_kind kind, double from, double to) {
  bench_plan out;
  out.arrivals.kind = kind;
  out.sweep.on = true;
  out.sweep.from = from;
  out.sweep.to = to;
  return out;
}

sweep_result find(const bench_plan& plan, ideal_target& target) {
  return find_knee(
      plan, [&](const auto& each, const auto& step) { return target(each, step); },
      [] { return false; });
}

} // namespace

TEST_CASE("a sweep of rates finds the knee within 5 %", "[apps][bench]") {
  for (auto kind : {arrival_kind::constant, arrival_kind::ramp})
    for (double places : {50., 100., 777., 3210.}) {
      INFO(places);
      ideal_target target{places, 0.5, {}};
      const auto found = find(sweep_of(kind, 10, 100'000), target);
      CHECK(found.knee == Approx(target.capacity()).epsilon(0.05));
      CHECK(found.runs.size() == target.steps.size());
      CHECK(target.steps.size() < 30);
    }
}

TEST_CASE("a sweep of concurrency finds the least that brings the whole throughput",
          "[apps][bench]") {
  for (double places : {1., 8., 100., 777.}) {
    INFO(places);
    ideal_target target{places, 0.5, {}};
    const auto found = find(sweep_of(arrival_kind::concurrency, 1, 100'000), target);
    CHECK(found.knee == Approx(places).epsilon(0.05));
    auto steps = target.steps;
    std::sort(steps.begin(), steps.end());
    CHECK(std::adjacent_find(steps.begin(), steps.end()) == steps.end()); // none ran twice
  }
}

TEST_CASE("a target that keeps up with everything has its knee at the sweep's end",
          "[apps][bench]") {
  ideal_target target;
  CHECK(find(sweep_of(arrival_kind::constant, 10, 100), target).knee == 100);
  CHECK(target.steps.front() == "rate 10");
  CHECK(target.steps.back() == "rate 100");
}

TEST_CASE("a target that does not keep up with the first step has no knee", "[apps][bench]") {
  ideal_target target;
  const auto found = find(sweep_of(arrival_kind::constant, 1000, 2000), target);
  CHECK(found.knee == 0);
  CHECK(found.runs.size() == 1);
}

TEST_CASE("a step that misses an objective was not kept up with", "[apps][bench]") {
  ideal_target target;
  auto run = target(sweep_of(arrival_kind::constant, 1, 1), "");
  CHECK(kept_up(run));
  run.plan.objectives.push_back({"turn:p50<400ms", "turn", 0.5, true, 400e6});
  CHECK_FALSE(kept_up(run));
}

TEST_CASE("failures, growth and starts that never came are not keeping up", "[apps][bench]") {
  run_result sound;
  sound.seconds = 5;
  sound.started = sound.ended = sound.ended_within = 1000;
  REQUIRE(kept_up(sound));
  auto failing = sound;
  failing.ended = 985;
  CHECK_FALSE(kept_up(failing));
  auto growing = sound;
  growing.running_growth = 40;
  CHECK_FALSE(kept_up(growing));
  auto behind = sound;
  behind.ended_within = 960;
  CHECK_FALSE(kept_up(behind));
  behind.plan.arrivals.kind = arrival_kind::poisson; // of 1000, some 30 may be chance
  CHECK(kept_up(behind));
  auto missing = sound;
  missing.not_begun = 1;
  CHECK_FALSE(kept_up(missing));
  auto cancelling = sound;
  cancelling.cancelled = 100;
  cancelling.ended = cancelling.ended_within = 900;
  CHECK(kept_up(cancelling));
}

TEST_CASE("a sweep that is stopped says what it has found", "[apps][bench]") {
  ideal_target target;
  const auto found = find_knee(
      sweep_of(arrival_kind::constant, 10, 100'000),
      [&](const auto& each, const auto& step) { return target(each, step); },
      [&] { return target.steps.size() == 4; }); // while the fourth one runs
  CHECK(found.runs.size() == 3);
  CHECK(found.knee == Approx(22.5));
  CHECK(found.ended_early);
}

TEST_CASE("a sweep of concurrency that is stopped knows no knee", "[apps][bench]") {
  ideal_target target{8, 0.5, {}};
  const auto found = find_knee(
      sweep_of(arrival_kind::concurrency, 1, 1000),
      [&](const auto& each, const auto& step) { return target(each, step); },
      [&] { return target.steps.size() == 9; });
  CHECK(found.runs.size() == 8);
  CHECK(found.knee == 0);
  CHECK(found.ended_early);
}

TEST_CASE("steps that are given run in their order, and have no knee", "[apps][bench]") {
  ideal_target target;
  auto plan = sweep_of(arrival_kind::concurrency, 1, 1);
  plan.sweep.steps = {10, 100, 5000};
  const auto found = find(plan, target);
  CHECK(found.knee == 0);
  CHECK(target.steps ==
        std::vector<std::string>{"concurrency 10", "concurrency 100", "concurrency 5000"});
  CHECK(found.runs.back().plan.arrivals.concurrency == 5000);
}

TEST_CASE("steps of history keep the load", "[apps][bench]") {
  auto plan = sweep_of(arrival_kind::constant, 1, 1);
  plan.arrivals.rate = 7;
  plan.sweep.of_history = true;
  const auto step = step_of(plan, 999);
  CHECK(step.work.history == 999);
  CHECK(step.arrivals.rate == 7);
  CHECK(load_of(step) == 1000);
}

TEST_CASE("a step has its load, its length and a warm-up of its own", "[apps][bench]") {
  auto plan = sweep_of(arrival_kind::constant, 1, 10);
  plan.bounds.turns = 7;
  const auto step = step_of(plan, 42);
  CHECK(step.arrivals.rate == 42);
  CHECK(step.bounds.length == 5s);
  CHECK(step.bounds.warm_up == 1250ms);
  CHECK(step.bounds.turns == 0);
}

} // namespace bench_sweep_test
