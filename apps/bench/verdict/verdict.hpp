// Decides whether a run has measured the target or the generator.
#pragma once

#include <string>
#include <vector>

#include "apps/bench/measure/run_result.hpp"

namespace troupe::bench {

/// Returns why the figures are not valid, one sentence each; empty: they are. The reasons are:
/// - nothing was measured, or sessions that were due never began;
/// - the generator was late: its p99 was above 1 ms, or above 20 us and a tenth of the smallest
/// median of the times from an intended start;
/// - a thread of the generator was busy for more than nine tenths of the time, or the p99 of the
/// lag was above 1 ms;
/// - turns failed to connect while the generator was near its limit of descriptors;
/// - the load came within a tenth of the generator's ceiling;
/// - the measured time was too short for its turns (queue_growth), or the sessions of a step of
/// a rate sweep lived longer than its warm-up.
/// @param ceiling turns per second; 0: not known
std::vector<std::string> doubts(const run_result& run, double ceiling);

/// Returns remarks that do not make the figures wrong: fewer samples than ten times 1 / (1 - p),
/// turns that were cut off or abandoned, children of the watched process, text that came whole.
std::vector<std::string> remarks(const run_result& run);

/// How far the measured time is too short to show a constant load, calculated with turns of equal
/// length. All 0 for a ramp, whose load is not constant, and if no turn has ended.
struct queue_growth {
  double lost = 0;      ///< error of turns/s, as a share
  double life_ns = 0;   ///< length of a session; with concurrency of a turn and its think time
  double length_ns = 0; ///< measured time that would be long enough with this warm-up
};

queue_growth queue_growth_of(const run_result& run);

/// Returns a text with the remedy if turns/s are more than a tenth off; else "".
std::string queue_growth_doubt(const run_result& run);

} // namespace troupe::bench
