// A session of the load, as its lane keeps it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "apps/bench/load/session_draws.hpp"
#include "apps/bench/measure/recorder.hpp"
#include "apps/bench/target/target.hpp"

namespace troupe::bench {

/// Waits for its next turn, runs one, or has ended one and is not yet gone on.
struct lane_session {
  enum class state : uint8_t { waiting, running, settled };
  static constexpr time_point never = time_point::max();

  lane_session(uint64_t seed, uint32_t lane, uint64_t in_lane)
      : number{in_lane}, draws{seed, lane, in_lane} {}

  const uint64_t number; ///< in its lane
  std::string id;
  session_draws draws;
  uint32_t turn = 0;

  state is = state::waiting;
  turn_draws drawn; ///< for the turn
  turn_record record;
  time_point start_at = never;     ///< of the turn it waits for
  time_point deadline = never;     ///< then it has timed out
  time_point cancel_at = never;    ///< as the plan says
  time_point resume_at = never;    ///< of a reader that pauses
  time_point cancelled_at{};       ///< when it was; zero: not
  time_point scheduled_at = never; ///< where it stands there
  time_point ended{};
  bool goes_on = false;                  ///< once settled: its turn did not fail
  std::unique_ptr<running_turn> running; ///< gone before what its observations write to

  /// Returns when something has to be done about it without a observation.
  time_point due() const {
    if (is == state::waiting)
      return start_at;
    return is == state::running ? std::min({deadline, cancel_at, resume_at}) : never;
  }
};

} // namespace troupe::bench
