#include "apps/bench/verdict/verdict.hpp"
#include "tests/support/catch.hpp"

namespace bench_queue_growth_test {

using namespace troupe::bench;
using namespace std::chrono_literals;

namespace {

/// A run of turns that take as long as that and of which as many ended as could.
run_result run_of(nanoseconds turn, double rate, nanoseconds warm_up, nanoseconds length) {
  run_result out;
  out.plan.arrivals.rate = rate;
  out.plan.bounds.warm_up = warm_up;
  out.plan.bounds.length = length;
  out.seconds = std::chrono::duration<double>(length).count();
  out.started = out.ended = static_cast<uint64_t>(rate * out.seconds);
  const double lost = std::chrono::duration<double>(std::max(turn - warm_up, 0ns)).count() * rate;
  out.ended_within = out.started - std::min(out.started, static_cast<uint64_t>(lost));
  out.running_growth = static_cast<int64_t>(out.started - out.ended_within);
  out.times[size_t(metric::turn)].record(turn, out.ended);
  return out;
}

/// @param ended within the measured time
run_result closed_run(nanoseconds turn, uint32_t places, nanoseconds warm_up, nanoseconds length,
                      uint64_t ended) {
  auto out = run_of(turn, 0, warm_up, length);
  out.plan.arrivals.kind = arrival_kind::concurrency;
  out.plan.arrivals.concurrency = places;
  out.started = out.ended = out.ended_within = ended;
  out.times[size_t(metric::turn)].record(turn, out.ended);
  return out;
}

} // namespace

TEST_CASE("turns that outlive the warm-up of a short run put its rates in doubt", "[apps][bench]") {
  const auto run = run_of(950ms, 100, 0s, 1s);
  CHECK(queue_growth_of(run).lost == Approx(0.95).epsilon(0.01));
  const auto why = doubts(run, 0);
  REQUIRE(why.size() == 1);
  CHECK_THAT(why[0], Catch::Contains("too short for turns of 950 ms") &&
                         Catch::Contains("95 % off") &&
                         Catch::Contains("--warm-up of at least 950 ms") &&
                         Catch::Contains("--duration of at least 9.5"));
}

TEST_CASE("a warm-up of one life, or a long run, shows the load that was asked for",
          "[apps][bench]") {
  CHECK(queue_growth_doubt(run_of(950ms, 100, 1s, 1s)).empty());
  CHECK(queue_growth_doubt(run_of(950ms, 100, 0s, 10s)).empty());
  CHECK_FALSE(queue_growth_doubt(run_of(950ms, 100, 0s, 9s)).empty());
  CHECK(queue_growth_doubt(run_of(5ms, 10, 0s, 1s)).empty());
  CHECK_FALSE(queue_growth_doubt(run_of(1s, 100, 500ms, 2s)).empty());
  CHECK_FALSE(queue_growth_doubt(run_of(5s, 100, 500ms, 2s)).empty()); // none has ended in it
}

TEST_CASE("sessions of several turns build a load up for as long as they live", "[apps][bench]") {
  auto run = run_of(10ms, 10, 0s, 10s);
  run.plan.work.turns = 11;
  run.plan.work.think = 1s;
  run.started = run.ended = run.ended_within = 550; // of 1100
  const auto why = queue_growth_doubt(run);
  CHECK_THAT(why, Catch::Contains("sessions of 10.1 s") && Catch::Contains("50 % off"));
  run.plan.bounds.warm_up = 10s;
  CHECK(queue_growth_doubt(run).empty());
}

TEST_CASE("turns that only wait for a target that is too slow build nothing up", "[apps][bench]") {
  for (double times : {1.2, 2., 5., 20.}) // as much as the target can do
    for (auto warm_up : {0s, 1s, 3s})
      for (uint32_t turns : {1U, 4U}) {
        CAPTURE(times, warm_up.count(), turns);
        auto run = run_of(10ms, 100. / turns, warm_up, 10s);
        run.plan.work.turns = turns;
        run.times[size_t(metric::turn)] = {};
        for (auto since = 0ms; since < 10s; since += 10ms)
          run.times[size_t(metric::turn)].record(
              10ms + std::chrono::duration_cast<nanoseconds>((warm_up + since) * (times - 1)));
        run.started = 1000;
        run.ended_within = static_cast<uint64_t>(1000 / times);
        run.running_growth = static_cast<int64_t>(1000 - run.ended_within);
        CHECK(queue_growth_doubt(run).empty());
      }
}

TEST_CASE("what has ended within the measured time is not missing", "[apps][bench]") {
  auto run = run_of(10s, 10, 0s, 10s);
  run.ended_within = 100;
  run.running_growth = 0;
  CHECK(queue_growth_of(run).lost == 0);
}

TEST_CASE("a closed loop is measured for some lives of its turns", "[apps][bench]") {
  const auto why = queue_growth_doubt(closed_run(1s, 50, 0s, 1900ms, 50));
  CHECK_THAT(why, Catch::Contains("47 % off") && Catch::Contains("--warm-up of at least 1.00 s") &&
                      Catch::Contains("--duration of at least 10.0 s"));
  CHECK(queue_growth_doubt(closed_run(1s, 50, 0s, 2s, 100)).empty()); // two rounds exactly
  CHECK(queue_growth_doubt(closed_run(1s, 50, 0s, 11s, 470)).empty());
  CHECK(queue_growth_doubt(closed_run(1s, 50, 1s, 3s, 120)).empty());
  CHECK_THAT(queue_growth_doubt(closed_run(1s, 50, 1500ms, 500ms, 33)),
             Catch::Contains("Give --duration of at least 1.67 s."));
  CHECK(queue_growth_doubt(closed_run(10ms, 1, 0s, 1s, 80)).empty());
}

TEST_CASE("a closed loop that turns bound is in doubt when it ends among its first turns",
          "[apps][bench]") {
  auto run = closed_run(1s, 50, 0s, 0s, 10);
  run.seconds = 1;
  run.plan.bounds.turns = 60;
  CHECK_THAT(queue_growth_doubt(run),
             Catch::Contains("80 % off") && Catch::Contains("or more --turns"));
  run.plan.bounds.turns = 100;
  run.ended_within = 50;
  CHECK(queue_growth_doubt(run).empty());
  run.plan.bounds.turns = 50; // no rate at all
  run.ended_within = 0;
  CHECK(queue_growth_doubt(run).empty());
}

TEST_CASE("steps that were given name the option that makes them longer", "[apps][bench]") {
  auto run = run_of(2s, 10, 1s, 5s);
  run.plan.sweep.on = true;
  run.plan.sweep.steps = {10};
  CHECK_THAT(queue_growth_doubt(run), Catch::Contains("--sweep-step of at least 10.0 s"));
}

TEST_CASE("a ramp, and a run without an end, build nothing up that could be judged",
          "[apps][bench]") {
  auto run = run_of(950ms, 100, 0s, 1s);
  run.plan.arrivals.kind = arrival_kind::ramp;
  CHECK(queue_growth_doubt(run).empty());
  CHECK(queue_growth_doubt({}).empty());
}

} // namespace bench_queue_growth_test
