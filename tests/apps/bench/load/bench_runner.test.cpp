#include "apps/bench/load/runner.hpp"

#include <chrono>

#include "tests/apps/bench/target/bench_fake_targets.hpp"
#include "tests/support/catch.hpp"
#include "transport/loop/loop.hpp"

namespace bench_runner_test {

using namespace troupe;
using namespace troupe::bench;
using namespace std::chrono_literals;

TEST_CASE("a generator that is starved on purpose is found out", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::constant, 500); // of turns that take it 10 ms to begin
  plan.bounds.length = 500ms;
  plan.bounds.drain = 10s;
  fake_targets targets{manner::burns};
  shards lanes{1};
  const auto outcome = run(plan, lanes, targets, {});
  REQUIRE(outcome.runs.size() == 1);
  const auto& starved = outcome.runs[0];
  CHECK(starved.started == 250); // none is left out, however late
  CHECK(starved[metric::schedule_delay].quantile_ns(0.99) > 1'000'000'000);
  CHECK(starved[metric::turn].quantile_ns(0.99) > 1'000'000'000); // the lateness is in the times
  REQUIRE_FALSE(starved.invalid.empty());
  CHECK_THAT(starved.invalid[0], Catch::Contains("The generator was late"));
}

TEST_CASE("a run of one turn, which is over in no time, has no busy lane", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::concurrency, 0);
  plan.bounds.turns = 1;
  fake_targets targets{manner::answers};
  shards lanes{1};
  const auto outcome = run(plan, lanes, targets, {});
  REQUIRE(outcome.runs.size() == 1);
  CHECK(outcome.runs[0].lane_busy < 1.1);
}

TEST_CASE("repeats run one after the other, and their median is judged", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::concurrency, 0);
  plan.bounds.turns = 10;
  plan.repeats = 3;
  plan.objectives.push_back({"good>0.5", "good", 0, false, 0.5});
  fake_targets targets{manner::answers};
  shards lanes{1};
  const auto outcome = run(plan, lanes, targets, {});
  REQUIRE(outcome.runs.size() == 3);
  CHECK(outcome.runs[2].plan.seed == plan.seed + 2);
  CHECK(outcome.ceiling > 0);
  REQUIRE(outcome.objectives.size() == 1);
  CHECK(outcome.objectives[0].met);
}

} // namespace bench_runner_test
