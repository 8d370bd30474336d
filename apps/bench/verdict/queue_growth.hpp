// Whether a load had built up by the time that was measured.
#pragma once

#include <string>

#include "apps/bench/measure/run_result.hpp"

namespace troupe::bench {

/// What the measured time lacks to show a load that lasts, reckoned with turns that all take the
/// same. A ramp lacks nothing, as its load does not last, nor do turns of which nothing has ended.
struct queue_growth {
  double lost = 0;      ///< share of turns/s that they are off by
  double life_ns = 0;   ///< of a session; with concurrency of a turn, and the thinking after it
  double length_ns = 0; ///< long enough to measure after this warm-up
};

queue_growth queue_growth_of(const run_result& run);

/// Returns that turns/s are more than a tenth off, and what to do about it; else "".
std::string queue_growth_doubt(const run_result& run);

/// Returns how long a session lives whose turns take that long, in nanoseconds.
double session_life(const scenario& work, int64_t turn_ns);

} // namespace troupe::bench
