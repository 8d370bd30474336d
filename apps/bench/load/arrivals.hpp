// When the sessions of a lane begin.
#pragma once

#include <cstdint>
#include <optional>

#include "apps/bench/load/random_source.hpp"
#include "apps/bench/plan/plan.hpp"

namespace troupe::bench {

/// The intended starts of one lane's sessions, as offsets from the begin of the run, in their
/// order. Pure: the plan and the lane decide them.
///
/// A ramp that only --turns bounds reaches its end rate when that many turns have begun.
///
/// constant, ramp: the starts of the whole run go to the lanes in turn. poisson: every lane draws
/// its own share of the rate from the seed. concurrency: the lane's share of the places, evenly
/// over the warm-up; later sessions begin when others end.
class arrivals {
public:
  /// @param lane from 0 to below plan.lanes
  arrivals(const bench_plan& plan, uint32_t lane);

  /// Returns the next start, or nothing when no further session begins of itself.
  std::optional<nanoseconds> next();

private:
  double seconds_of(uint64_t number) const;
  double ramp_seconds_of(double count) const;
  double next_gap();

  arrival_spec spec_;
  nanoseconds length_; // of the whole run; 0: without a bound
  nanoseconds spread_; // of the first ones with concurrency
  double ramp_seconds_;
  uint32_t lanes_;
  uint64_t number_; // of the next start in the whole run
  double at_ = 0;   // poisson: seconds of the last one
  random_source random_;
};

/// Returns how many sessions per second begin at most, 0 with concurrency.
double highest_rate(const arrival_spec& spec);

/// Returns a lane's share of the plan's bound of measured turns, with concurrency by its places.
/// Without a bound returns the largest number.
uint64_t share_of_turns(const bench_plan& plan, uint32_t lane);

/// Returns how long before a start a lane spins instead of waiting in the kernel, which wakes a
/// thread some ten microseconds late: 50 us if that is less than a twentieth of the time, else 0.
nanoseconds spin_before(const bench_plan& plan);

} // namespace troupe::bench
