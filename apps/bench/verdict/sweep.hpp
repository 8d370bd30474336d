// Finds the load up to which a target keeps up: its knee.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/bench/measure/run_result.hpp"

namespace troupe::bench {

/// Runs one step of a sweep. @param step what progress calls it, "rate 120"
using step_runner = std::function<run_result(const bench_plan& plan, const std::string& step)>;

struct sweep_result {
  std::vector<run_result> runs; ///< in the order in which they ran; plan.arrivals is the load
  double knee = 0;              ///< 0: not even the lowest load was kept up with
  bool ended_early = false;     ///< was stopped: of rates the knee is at least that
};

/// Returns whether an open load was kept up with: of the turns that began 99 % ended well, drain
/// included; within the measured seconds no fewer ended, and no more were left under way, than 3 %
/// of those that began, with what chance allows on top (one turn, or with Poisson arrivals the
/// root of their number); every objective was met. Whether it was the target or the generator that
/// did not keep up, the run's verdict says.
bool kept_up(const run_result& run);

/// A step's length in its shortest warm-ups.
inline constexpr int warm_ups_per_step = 4;

/// Returns the plan of one step: that load, or so much history, for sweep.step after a warm-up of
/// at least a quarter of it.
bench_plan step_of(const bench_plan& plan, double load);

/// Rates: grows by sweep.factor until the load is not kept up with, then halves the distance
/// between the highest load kept up with and the lowest that was not, geometrically, until it is
/// within sweep.precision. The knee is the highest load kept up with.
///
/// Concurrency: grows by sweep.factor until two steps in a row bring less than a tenth of the
/// throughput that they should; the knee is the least concurrency whose throughput is within
/// sweep.precision of the highest that was seen, found in the same way.
///
/// Steps that are given: runs them, and leaves the knee at 0.
///
/// Ends early once `stopped` says so, with what there is but the step that was under way: it was
/// cut short. Of concurrency no knee is known then.
sweep_result find_knee(const bench_plan& plan, const step_runner& run_step,
                       const std::function<bool()>& stopped);

} // namespace troupe::bench
