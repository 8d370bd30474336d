#include <algorithm>
#include <chrono>
#include <set>

#include "apps/bench/load/runner.hpp"
#include "tests/apps/bench/target/bench_fake_targets.hpp"
#include "tests/support/catch.hpp"
#include "transport/loop/loop.hpp"

namespace bench_lane_test {

using namespace troupe;
using namespace troupe::bench;
using namespace std::chrono_literals;

namespace {

run_result run_plan(const bench_plan& asked, fake_targets& targets) {
  auto plan = asked;
  shards lanes{plan.lanes};
  const run_watch nobody;
  return run_once(plan, {lanes, targets, nobody}, {});
}

} // namespace

TEST_CASE("a lane begins every turn of the plan and counts how it ended", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::constant, 1000);
  plan.bounds.turns = 100;
  plan.lanes = 2;
  fake_targets targets{manner::answers};
  const auto run = run_plan(plan, targets);
  CHECK(run.started == 100);
  CHECK(run.ended == 100);
  CHECK(run.good == 100);
  CHECK(run.tokens == 100);
  CHECK(run.failed() == 0);
  CHECK(run[metric::turn].count() == 100);
  CHECK(run[metric::schedule_delay].count() == 100);
  CHECK(run.seconds >= 0.099); // the 100th start is due then
  CHECK(targets.running == 0);
  CHECK(targets.asked.size() == 100); // each in a session of its own
}

TEST_CASE("the turns of a session follow each other in one chat", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::concurrency, 0);
  plan.arrivals.concurrency = 3;
  plan.bounds.turns = 60;
  plan.work.turns = 4;
  plan.work.texts = {"a", "b", "c"};
  plan.work.history = 5;
  fake_targets targets{manner::answers};
  CHECK(run_plan(plan, targets).ended == 60);
  CHECK(targets.most_running <= 3);
  size_t turns = 0;
  std::set<std::string> first_texts;
  for (const auto& [id, asks] : targets.asked) {
    turns += asks.size();
    REQUIRE(asks.size() <= 4);
    first_texts.insert(asks[0].text);
    const auto& texts = plan.work.texts;
    const auto begin = std::find(texts.begin(), texts.end(), asks[0].text) - texts.begin();
    for (uint32_t i = 0; i < asks.size(); ++i) {
      CHECK(asks[i].number == i);
      CHECK(asks[i].text == texts[(static_cast<size_t>(begin) + i) % 3]);
      CHECK(asks[i].history == (i == 0 ? 5U : 0U));
    }
  }
  CHECK(turns == 60);
  CHECK(first_texts.size() == 3); // each session begins with another one
}

TEST_CASE("sessions of two runs never have the same name", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::concurrency, 0);
  plan.bounds.turns = 10;
  fake_targets targets{manner::answers};
  run_plan(plan, targets);
  run_plan(plan, targets);
  CHECK(targets.asked.size() == 20);
}

TEST_CASE("think time lies between the turns of a session", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::concurrency, 0);
  plan.bounds.turns = 3;
  plan.work.turns = 3;
  plan.work.think = 20ms;
  plan.work.think_varies = false;
  fake_targets targets{manner::answers};
  const auto run = run_plan(plan, targets);
  CHECK(run.ended == 3);
  CHECK(run.seconds >= 0.04);
}

TEST_CASE("a run ends when nothing runs, whatever thinking its sessions have left",
          "[apps][bench]") {
  auto plan = plan_of(arrival_kind::constant, 1000);
  plan.bounds.turns = 3;
  plan.bounds.drain = 20s;
  plan.work.turns = 5;
  plan.work.think = 50ms;
  plan.work.think_varies = false;
  fake_targets targets{manner::answers};
  const auto before = std::chrono::steady_clock::now();
  CHECK(run_plan(plan, targets).ended == 3);
  plan.bounds.turns = 0;
  plan.bounds.length = 400ms;
  plan.work.think = 40ms;
  CHECK(run_plan(plan, targets).ended > 400);
  CHECK(std::chrono::steady_clock::now() - before < 10s);
}

TEST_CASE("a session whose turn failed goes on no further", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::concurrency, 0);
  plan.bounds.turns = 20;
  plan.work.turns = 5;
  fake_targets targets{manner::fails};
  const auto run = run_plan(plan, targets);
  CHECK(run.failures.at("model_failed") == 20);
  CHECK(run.seconds >= 19 * 0.05); // a closed loop rests after a failure
  CHECK(run[metric::turn].count() == 0);
  CHECK(targets.asked.size() == 20);
}

TEST_CASE("turns that take too long time out", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::constant, 1000);
  plan.bounds.turns = 5;
  plan.bounds.turn = 10ms;
  fake_targets targets{manner::hangs};
  const auto run = run_plan(plan, targets);
  CHECK(run.failures.at("timeout") == 5);
  CHECK(targets.running == 0);
}

TEST_CASE("turns that run when the drain is over are cut off", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::constant, 1000);
  plan.bounds.turns = 5;
  plan.bounds.drain = 10ms;
  fake_targets targets{manner::hangs};
  const auto run = run_plan(plan, targets);
  CHECK(run.cut_off == 5);
  CHECK(run.failures.at("cut_off") == 5);
  CHECK(targets.running == 0);
}

TEST_CASE("what has not begun when the drain is over is counted", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::constant, 1000); // of turns that take it 10 ms to begin
  plan.bounds.length = 100ms;
  plan.bounds.drain = 100ms;
  fake_targets targets{manner::burns};
  const auto run = run_plan(plan, targets);
  CHECK(run.not_begun > 0);
  CHECK(run.started + run.not_begun == 100);
  CHECK(targets.running == 0);
}

TEST_CASE("the plan's turns are cancelled, and timed where the end is known", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::concurrency, 0);
  plan.bounds.turns = 10;
  plan.work.cancel_share = 1;
  plan.work.cancel_from = plan.work.cancel_to = 1ms;
  for (auto how : {manner::hangs, manner::hangs_until_cancelled}) {
    fake_targets targets{how};
    const auto run = run_plan(plan, targets);
    CHECK(run.cancelled == 10);
    CHECK(run.failed() == 0);
    CHECK(targets.cancels == 10);
    CHECK(targets.running == 0);
    CHECK(run[metric::cancel].count() == (how == manner::hangs ? 0 : 10));
  }
}

TEST_CASE("what a stop takes is not the next turn's", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::concurrency, 0);
  plan.bounds.turns = 10;
  plan.work.turns = 5;
  plan.work.cancel_share = 1;
  plan.work.cancel_from = plan.work.cancel_to = 1ms;
  fake_targets targets{manner::stops_late};
  const auto run = run_plan(plan, targets);
  CHECK(run.cancelled == 10);
  CHECK(run[metric::schedule_delay].quantile_ns(0.5) < std::chrono::nanoseconds{late_stop}.count());
}

TEST_CASE("slow readers pause, and their times are left out", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::concurrency, 0);
  plan.bounds.turns = 10;
  plan.work.slow_share = 1;
  fake_targets targets{manner::answers};
  const auto run = run_plan(plan, targets);
  CHECK(run.ended == 10);
  CHECK(targets.pauses == 10);
  CHECK(run[metric::turn].count() == 0);
}

TEST_CASE("turns of the warm-up are run and not counted", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::constant, 1000);
  plan.bounds.warm_up = 20ms;
  plan.bounds.turns = 10;
  fake_targets targets{manner::answers};
  const auto run = run_plan(plan, targets);
  CHECK(run.started == 10);
  CHECK(targets.asked.size() == 30);
}

TEST_CASE("a run that is stopped ends with what there is", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::constant, 100);
  plan.bounds.length = 1h;
  fake_targets targets{manner::hangs};
  shards lanes{1};
  int told = 0;
  const run_watch watch{[&](const progress& now) {
                          ++told;
                          CHECK(now.running > 0);
                        },
                        [] { return true; }};
  const auto run = run_once(plan, {lanes, targets, watch}, {});
  CHECK(told == 1);
  CHECK(run.abandoned == run.started);
  CHECK(run.cut_off == 0);
  CHECK(run.judged() == 0);
  CHECK(run.failed() == 0); // nobody waited for them
  CHECK(run.seconds < 600);
}

TEST_CASE("a run that is stopped in its warm-up has measured nothing", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::constant, 100);
  plan.bounds.warm_up = 1h;
  fake_targets targets{manner::hangs};
  shards lanes{1};
  const run_watch watch{[](const progress&) {}, [] { return true; }};
  const auto run = run_once(plan, {lanes, targets, watch}, {});
  CHECK(run.started == 0);
  CHECK(run.seconds == 0);
  CHECK(run.lane_busy == 0);
}

TEST_CASE("the drain is no measured time when the turns are counted", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::constant, 1000);
  plan.bounds.turns = 5;
  plan.bounds.turn = 1s;
  fake_targets targets{manner::hangs};
  const auto run = run_plan(plan, targets);
  CHECK(run.failures.at("timeout") == 5); // the last one a second after all had begun
  CHECK(run.seconds < 1);
}

TEST_CASE("what a target takes to begin a turn is the generator's lateness", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::constant, 10); // of turns that take it 10 ms to begin
  plan.bounds.turns = 2;
  fake_targets targets{manner::burns};
  CHECK(run_plan(plan, targets)[metric::schedule_delay].min_ns() >= 9'990'000);
}

TEST_CASE("those who begin a closed loop together are not late for one another", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::concurrency, 0); // of turns that take it 10 ms to begin
  plan.arrivals.concurrency = 50;
  plan.bounds.turns = 50;
  fake_targets targets{manner::burns};
  CHECK(run_plan(plan, targets)[metric::schedule_delay].quantile_ns(0.5) < 100'000'000);
}

TEST_CASE("a closed loop whose lanes are away is found out by their timers", "[apps][bench]") {
  auto plan = plan_of(arrival_kind::concurrency, 0); // of turns that take it 10 ms to begin
  plan.bounds.turns = 50;
  fake_targets targets{manner::burns};
  CHECK(run_plan(plan, targets)[metric::lag].quantile_ns(0.99) > 1'000'000);
}

} // namespace bench_lane_test
