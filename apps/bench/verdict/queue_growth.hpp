// Checks whether the load had built up before the measured time.
#pragma once

#include <string>

#include "apps/bench/measure/run_result.hpp"

namespace troupe::bench {

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

/// Returns the length of a session with such turns, in nanoseconds.
double session_life(const scenario& work, int64_t turn_ns);

} // namespace troupe::bench
