// Random numbers that a seed alone decides, the same with every compiler and library, and the
// choices of a session that they make.
#pragma once

#include <cmath>
#include <cstdint>

#include "apps/bench/plan/plan.hpp"

namespace troupe::bench {

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014): eight
/// bytes of state, so that every session can have its own.
class random_source {
public:
  explicit random_source(uint64_t seed) : state_{seed} {}

  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// Returns a number from 0 to below 1.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Returns a number of an exponential distribution with that mean.
  double exponential(double mean) { return -std::log1p(-unit()) * mean; }

  /// Returns an independent source for the part `number`. Does not change this one.
  random_source part(uint64_t number) const {
    return random_source{random_source{state_ ^ (number + 1) * 0xd1342543de82ef95}.next()};
  }

private:
  uint64_t state_;
};

/// The draws of one turn.
struct turn_draws {
  bool cancelled = false;
  bool slow = false;
  nanoseconds cancel_after{0}; ///< after its start
  nanoseconds think{0};        ///< after its end
};

/// The draws of one session, turn by turn. They depend on the seed, the lane and the session's
/// number in it only: how the target behaves cannot change them.
class session_draws {
public:
  session_draws(uint64_t seed, uint32_t lane, uint64_t session)
      : random_{random_source{seed}.part(lane).part(session)} {}

  /// Draws the same number of random values for every turn, so that two plans stay comparable.
  turn_draws next(const scenario& work) {
    turn_draws out;
    out.cancelled = random_.unit() < work.cancel_share;
    const auto from = static_cast<double>(work.cancel_from.count());
    const auto to = static_cast<double>(work.cancel_to.count());
    out.cancel_after = rounded(from + random_.unit() * (to > from ? to - from : 0));
    out.slow = random_.unit() < work.slow_share;
    const double varied = random_.exponential(static_cast<double>(work.think.count()));
    out.think = work.think_varies ? rounded(varied) : work.think;
    return out;
  }

private:
  static nanoseconds rounded(double ns) { return nanoseconds{static_cast<int64_t>(ns)}; }

  random_source random_;
};

} // namespace troupe::bench
