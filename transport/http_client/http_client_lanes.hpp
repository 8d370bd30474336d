// The lanes of one loop's HTTP client, as many as the open exchanges need.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "transport/http_client/http_client_lane.hpp"
#include "transport/http_client/http_client_sockets.hpp"
#include "transport/loop/loop.hpp"
#include "transport/loop/timer.hpp"

namespace troupe {

/// An exchange goes into the first lane with room, so that the free connections gather in the first
/// lanes. A lane that is unused for one to two minutes closes with its connections. Loop thread
/// only, or any single thread after the loop's stop().
class http_client_lanes {
public:
  explicit http_client_lanes(loop& home) : home_{home}, sockets_{home} {}

  /// Returns the lane for the next exchange. @param secure it speaks TLS
  http_client_lane& with_room(bool secure);

  /// Removes an exchange from its lane.
  void remove(http_client_lane& lane, CURL* easy);

  /// Returns whether a lane has something to do or became empty.
  bool any_due() const noexcept { return !due_.empty(); }

  /// Moves the due lanes into `out`, which is empty.
  void take_due(std::vector<http_client_lane*>& out) { out.swap(due_); }

  /// Closes `lane` if it is empty and no longer needed. Not from within the lane.
  void tidy(http_client_lane& lane);

  /// Closes lanes that are empty and were unused since the last call. Not from within a lane.
  void close_unused();

  /// Returns the number of lanes.
  size_t count() const;

  /// Closes all lanes; they must hold no exchange.
  void clear();

private:
  struct row {
    std::vector<std::unique_ptr<http_client_lane>> lanes; // nullptr: a closed lane
    size_t first = 0;                                     // all lanes before this index are full
  };

  void look_later();

  loop& home_;
  std::optional<timer> look_;
  bool looking_ = false; // the timer runs, which it does while there are lanes
  http_client_sockets sockets_;
  std::vector<http_client_lane*> due_;
  std::array<row, 2> rows_; // without and with TLS
};

} // namespace troupe
