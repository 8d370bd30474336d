#include "apps/bench/verdict/verdict.hpp"
#include "tests/support/catch.hpp"

namespace bench_verdict_test {

using namespace troupe::bench;
using namespace std::chrono_literals;

namespace {

/// A run that nothing is wrong with.
run_result sound_run() {
  run_result out;
  out.seconds = 10;
  out.started = out.ended = out.ended_within = 2000;
  out.lane_busy = 0.4;
  out.times[size_t(metric::schedule_delay)].record(50us, 2000);
  out.times[size_t(metric::first_event)].record(2ms, 2000);
  out.times[size_t(metric::first_text)].record(3ms, 2000);
  out.times[size_t(metric::between_tokens)].record(1us, 2000);
  out.times[size_t(metric::turn)].record(9ms, 2000);
  return out;
}

void be_late(run_result& run, nanoseconds by) {
  run.times[size_t(metric::schedule_delay)].record(by, 40);
}

} // namespace

TEST_CASE("a run in which the generator did its part is valid", "[apps][bench]") {
  CHECK(doubts(sound_run(), 1000).empty());
  CHECK(remarks(sound_run()).empty());
}

TEST_CASE("starts that are late by more than a millisecond make a run invalid", "[apps][bench]") {
  auto run = sound_run();
  run.times[size_t(metric::first_event)] = {};
  run.times[size_t(metric::first_text)] = {};
  run.times[size_t(metric::turn)] = {};
  run.times[size_t(metric::turn)].record(10s, 2000);
  be_late(run, 900us);
  CHECK(doubts(run, 0).empty());
  be_late(run, 1100us);
  REQUIRE(doubts(run, 0).size() == 1);
  CHECK_THAT(doubts(run, 0)[0], Catch::Contains("1.10 ms") && Catch::Contains("may be 1 ms"));
}

TEST_CASE("starts that are late by a tenth of the smallest median make a run invalid",
          "[apps][bench]") {
  auto run = sound_run();
  be_late(run, 190us);
  CHECK(doubts(run, 0).empty());
  be_late(run, 220us);
  REQUIRE(doubts(run, 0).size() == 1);
  CHECK_THAT(doubts(run, 0)[0], Catch::Contains("0.220 ms") && Catch::Contains("2.00"));
}

TEST_CASE("a lateness of some microseconds is none, however fast the target", "[apps][bench]") {
  auto run = sound_run();
  for (auto which : {metric::schedule_delay, metric::first_event})
    run.times[size_t(which)] = {};
  run.times[size_t(metric::first_event)].record(30us, 2000);
  be_late(run, 19us);
  CHECK(doubts(run, 0).empty());
  be_late(run, 25us);
  CHECK(doubts(run, 0).size() == 1);
}

TEST_CASE("a lane without idle time makes a run invalid", "[apps][bench]") {
  auto run = sound_run();
  run.lane_busy = 0.91;
  REQUIRE(doubts(run, 0).size() == 1);
  CHECK_THAT(doubts(run, 0)[0], Catch::Contains("busy for 91 %"));
}

TEST_CASE("a client without idle time makes a run invalid", "[apps][bench]") {
  auto run = sound_run();
  run.client_busy = 0.89;
  CHECK(doubts(run, 0).empty());
  run.client_busy = 0.97;
  REQUIRE(doubts(run, 0).size() == 1);
  CHECK_THAT(doubts(run, 0)[0], Catch::Contains("MCP client was busy for 97 %"));
}

TEST_CASE("timers that are late by more than a millisecond make a run invalid", "[apps][bench]") {
  auto run = sound_run();
  run.times[size_t(metric::lag)].record(900us, 1000);
  CHECK(doubts(run, 0).empty());
  run.times[size_t(metric::lag)].record(2ms, 20);
  REQUIRE(doubts(run, 0).size() == 1);
  CHECK_THAT(doubts(run, 0)[0], Catch::Contains("starved") && Catch::Contains("2.00 ms"));
}

TEST_CASE("turns that could not connect near the limit of descriptors make a run invalid",
          "[apps][bench]") {
  auto run = sound_run();
  run.descriptor_limit = 1024;
  run.most_running = 1000;
  CHECK(doubts(run, 0).empty());
  run.failures["connect_failed"] = 3;
  REQUIRE(doubts(run, 0).size() == 1);
  CHECK_THAT(doubts(run, 0)[0], Catch::Contains("1024 descriptors"));
  run.most_running = 700;
  CHECK(doubts(run, 0).empty());
}

TEST_CASE("a run whose turns all hang is not valid", "[apps][bench]") {
  run_result run;
  run.seconds = 10;
  run.started = run.cut_off = 100;
  run.failures["cut_off"] = 100;
  REQUIRE(doubts(run, 0).size() == 1);
  CHECK_THAT(doubts(run, 0)[0], Catch::Contains("No turn ended well"));
  run.cancelled = 1;
  CHECK(doubts(run, 0).empty());
}

TEST_CASE("a step of rates that is too short for its turns is doubted", "[apps][bench]") {
  auto run = sound_run();
  run.plan.sweep.on = true;
  run.plan.bounds.warm_up = 8ms;
  CHECK(doubts(run, 0).size() == 1); // also when it was kept up with: it had less than its load
  run.running_growth = 1000;
  REQUIRE(doubts(run, 0).size() == 1);
  CHECK_THAT(doubts(run, 0)[0], Catch::Contains("--warm-up of at least 9") &&
                                    Catch::Contains("--sweep-step of at least 36"));
  run.plan.bounds.warm_up = 10ms;
  CHECK(doubts(run, 0).empty());
  run.plan.bounds.warm_up = 8ms;
  run.plan.sweep.steps = {10, 20};
  CHECK(doubts(run, 0).empty()); // no knee is looked for
}

TEST_CASE("a step of rates that is too short for its sessions is doubted", "[apps][bench]") {
  auto run = sound_run(); // of turns of 9 ms
  run.plan.sweep.on = true;
  run.plan.work.turns = 3;
  run.plan.work.think = 100ms;
  run.plan.bounds.warm_up = 226ms;
  for (int64_t growth : {0, 1000}) { // kept up with or not
    run.running_growth = growth;
    REQUIRE(doubts(run, 0).size() == 1);
    CHECK_THAT(doubts(run, 0)[0], Catch::Contains("--warm-up of at least 227 ms"));
  }
  run.plan.bounds.warm_up = 228ms;
  CHECK(doubts(run, 0).empty());
}

TEST_CASE("a lowest step that some of its turns outlasted is doubted", "[apps][bench]") {
  auto run = sound_run();
  run.plan.sweep.on = true;
  run.plan.arrivals.rate = run.plan.sweep.from = 20;
  run.plan.bounds.warm_up = 1250ms;
  run.running_growth = 1000; // not kept up with, as long turns had not ended
  run.times[size_t(metric::turn)].record(8s, 200);
  REQUIRE(doubts(run, 0).size() == 1);
  CHECK_THAT(doubts(run, 0)[0],
             Catch::Contains("--warm-up of at least 8.0") && Catch::Contains("begin lower"));
  run.plan.arrivals.rate = 30; // at a higher one the long ones are those that wait
  CHECK(doubts(run, 0).empty());
}

TEST_CASE("a load near the generator's own ceiling makes a run invalid", "[apps][bench]") {
  const auto run = sound_run(); // 200 turns/s
  CHECK(doubts(run, 225).empty());
  CHECK(doubts(run, 220).size() == 1);
}

TEST_CASE("a run in which nothing began is not valid", "[apps][bench]") {
  CHECK(doubts({}, 1000).size() == 1);
}

TEST_CASE("turns that a stop cut off are remarked, and no share is of them", "[apps][bench]") {
  auto run = sound_run();
  run.good = run.ended;
  run.started += 7;
  run.abandoned = 7;
  REQUIRE(remarks(run).size() == 1);
  CHECK_THAT(remarks(run)[0],
             Catch::Contains("7 turns were still running when the run was stopped"));
  CHECK(run.good_share() == 1);
}

TEST_CASE("children of the watched process are remarked", "[apps][bench]") {
  auto run = sound_run();
  run.watched.pid = 42;
  run.watched.children = 2;
  REQUIRE(remarks(run).size() == 1);
  CHECK_THAT(remarks(run)[0], Catch::Contains("process 42 has 2 processes of its own"));
}

TEST_CASE("too few samples, cut off turns and whole answers are remarked", "[apps][bench]") {
  auto run = sound_run();
  run.times[size_t(metric::turn)] = {};
  run.times[size_t(metric::turn)].record(9ms, 999);
  run.cut_off = 3;
  run.times[size_t(metric::between_tokens)] = {};
  CHECK(remarks(run).size() == 3);
  CHECK(doubts(run, 0).empty());
}

} // namespace bench_verdict_test
