// Finds the load up to which a target keeps up: its knee.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/bench/measure/run_result.hpp"

namespace troupe::bench {

/// Runs one step of a sweep. @param step what progress calls it, "rate 120"
using step_runner = std::function<run_result(const bench_plan& plan, const std::string& step)>;

/// The steps of a sweep, and its knee.
struct sweep_result {
  std::vector<run_result> runs; ///< in the order in which they ran; plan.arrivals is the load
  double knee = 0;              ///< 0: not even the lowest load was kept up with
  bool ended_early = false;     ///< was stopped: of rates the knee is at least that
};

/// Returns whether the target kept up with an open load. All due sessions began. 99 % of the turns
/// that were not cancelled ended well, drain included. Within the measured seconds the turns that
/// did not end, and the growth of running turns, were at most 3 % of the turns that began, plus an
/// allowance for chance (one turn, or with Poisson arrivals the root of their number). Every
/// objective was met. The run's verdict tells whether the target or the generator did not keep up.
bool kept_up(const run_result& run);

/// A step's length, in units of its shortest warm-up.
inline constexpr int warm_ups_per_step = 4;

/// Returns the plan of one step: that load, or so much history, for sweep.step after a warm-up of
/// at least a quarter of it.
bench_plan step_of(const bench_plan& plan, double load);

/// Rates: grows by sweep.factor until the target does not keep up, then halves the distance between
/// the highest load that passed and the lowest that failed, geometrically, until it is within
/// sweep.precision. The knee is the highest load that passed.
///
/// Concurrency: grows by sweep.factor until two steps in a row bring less than a tenth of the
/// throughput that they should; the knee is the least concurrency whose throughput is within
/// sweep.precision of the highest that was seen, found in the same way.
///
/// Steps that are given: runs them, and leaves the knee at 0.
///
/// Ends early once `stopped` returns true, without the step that was cut short. With concurrency
/// the knee is then unknown, 0.
sweep_result find_knee(const bench_plan& plan, const step_runner& run_step,
                       const std::function<bool()>& stopped);

/// Returns the run whose figures are shown, and of a sweep judged. Of a sweep it is the run at the
/// knee, or without a knee the run with the lowest load. Of given steps it is the run with the
/// highest load. Of repeats it is the run with the median of turns per second, of equal ones the
/// earlier. The order of steps does not matter. There must be a run.
const run_result& representative_run(const bench_outcome& outcome);

/// Returns whether that load is the knee or below it.
bool is_up_to_knee(const bench_outcome& outcome, const run_result& run);

} // namespace troupe::bench
