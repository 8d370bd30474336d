// Observations that the events of a turn give from outside.
#pragma once

#include <vector>

#include "apps/bench/target/target.hpp"
#include "messages/chat/events.hpp"

namespace troupe::bench {

/// Turns the events of one turn into observations, as native_answer_reader does with their names.
class event_observations {
public:
  /// Appends the observations of a batch to `out`, with the time `at`.
  /// @param stop_expected whether an abort is the turn's proper end
  void read(const event_batch& batch, time_point at, bool stop_expected,
            std::vector<turn_observation>& out);

private:
  uint64_t bytes_ = 0; ///< of texts
  bool begun_ = false;
  bool aborted_ = false;
};

} // namespace troupe::bench
