// Whether the figures of a run are those of the target, or of the generator.
#pragma once

#include <string>
#include <vector>

#include "apps/bench/measure/run_result.hpp"

namespace troupe::bench {

/// Returns why the figures are not to be trusted, one sentence each; empty: they are. They are not
/// when the generator was late (p99 above 1 ms or above a tenth of the smallest median that was
/// measured from an intended start, but at least 20 us), when one of its threads was busy for more
/// than nine tenths of the time or had timers that were late (p99 of the lag above 1 ms), when the
/// load came within a tenth of its ceiling, when nothing was measured, when the measured time was
/// too short for its turns (queue_growth.hpp), or, of a sweep of rates, when the sessions of a step
/// lived longer than its warm-up.
/// @param ceiling turns per second; 0: not known
std::vector<std::string> doubts(const run_result& run, double ceiling);

/// Returns what a reader has to know, which does not make the figures wrong: percentiles of fewer
/// samples than ten times 1 / (1 - p), turns that were cut off, text that came whole.
std::vector<std::string> remarks(const run_result& run);

} // namespace troupe::bench
