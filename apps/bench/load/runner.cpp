#include "apps/bench/load/runner.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "apps/bench/load/single_run.hpp"
#include "apps/bench/target/null_target.hpp"
#include "apps/bench/verdict/objectives.hpp"
#include "apps/bench/verdict/representative_run.hpp"
#include "apps/bench/verdict/sweep.hpp"
#include "apps/bench/verdict/verdict.hpp"

namespace troupe::bench {

namespace {

using std::chrono::milliseconds;

/// Turns that each lane has under way when its ceiling is looked for.
constexpr uint32_t at_once_per_lane = 64;

/// Returns one run with its verdict.
run_result judged(const bench_plan& plan, const run_place& where, double limit,
                  const std::string& step) {
  auto out = run_once(plan, where, step);
  out.invalid = doubts(out, limit);
  out.notes = remarks(out);
  if (auto more = where.targets.route_note(); !more.empty())
    out.notes.push_back(std::move(more));
  return out;
}

} // namespace

bench_outcome run(const bench_plan& asked, shards& lanes, target_factory& targets,
                  const run_watch& watch) {
  auto plan = asked;
  plan.lanes = static_cast<uint32_t>(lanes.size());
  const run_place where{lanes, targets, watch};
  bench_outcome out;
  out.ceiling = ceiling(plan);
  if (plan.sweep.on) {
    auto found = find_knee(
        plan,
        [&](const bench_plan& each, const std::string& step) {
          return judged(each, where, out.ceiling, step);
        },
        watch.stopped);
    out.runs = std::move(found.runs);
    out.knee = found.knee;
    out.ended_early = found.ended_early;
  }
  for (uint32_t i = 0; !plan.sweep.on && i < std::max(plan.repeats, 1U) && !watch.stopped(); ++i) {
    auto each = plan;
    each.seed += i; // the same load with other random draws
    const auto step = plan.repeats > 1 ? fmt::format("repeat {}", i + 1) : std::string{};
    out.runs.push_back(judged(each, where, out.ceiling, step));
  }
  if (!out.runs.empty())
    for (const auto& each : plan.objectives)
      out.objectives.push_back(plan.sweep.on ? judge(each, representative_run(out))
                                             : judge(each, out.runs));
  return out;
}

double ceiling(const bench_plan& plan) {
  bench_plan probe;
  probe.lanes = std::max(plan.lanes, 1U);
  probe.arrivals.kind = arrival_kind::concurrency;
  probe.arrivals.concurrency = probe.lanes * at_once_per_lane;
  probe.bounds.warm_up = milliseconds{200};
  probe.bounds.length = milliseconds{600};
  shards loops{probe.lanes};
  null_targets targets;
  const run_watch nobody;
  return run_once(probe, {loops, targets, nobody}, {}).turns_per_second();
}

} // namespace troupe::bench
