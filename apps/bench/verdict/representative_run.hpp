// Which of several runs stands for all.
#pragma once

#include "apps/bench/measure/run_result.hpp"

namespace troupe::bench {

/// Returns the run whose figures are shown, and of a sweep judged. Of a sweep it is the run at the
/// knee, or without a knee the run with the lowest load. Of given steps it is the run with the
/// highest load. Of repeats it is the run with the median of turns per second, of equal ones the
/// earlier. The order of steps does not matter. There must be a run.
const run_result& representative_run(const bench_outcome& outcome);

/// Returns whether that load is the knee or below it.
bool is_up_to_knee(const bench_outcome& outcome, const run_result& run);

} // namespace troupe::bench
