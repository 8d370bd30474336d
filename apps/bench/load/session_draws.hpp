// The random choices of a session.
#pragma once

#include <cstdint>

#include "apps/bench/load/random_source.hpp"
#include "apps/bench/plan/plan.hpp"

namespace troupe::bench {

/// The random choices for one turn.
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
