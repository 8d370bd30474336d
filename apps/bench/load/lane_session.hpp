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

/// One session: it waits for its next turn, runs one, or has ended one (settled).
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
  time_point deadline = never;     ///< when the turn times out
  time_point cancel_at = never;    ///< when the plan cancels the turn
  time_point resume_at = never;    ///< when a slow reader reads on
  time_point cancelled_at{};       ///< when the turn was cancelled; zero: it was not
  time_point scheduled_at = never; ///< its time in lane::schedule_
  time_point ended{};
  bool goes_on = false;                  ///< once settled: its turn did not fail
  std::unique_ptr<running_turn> running; ///< destroyed first: its observations write above

  /// Returns when the lane has to act on the session without an observation.
  time_point due() const {
    if (is == state::waiting)
      return start_at;
    return is == state::running ? std::min({deadline, cancel_at, resume_at}) : never;
  }
};

} // namespace troupe::bench
