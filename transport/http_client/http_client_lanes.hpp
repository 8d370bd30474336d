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

/// An exchange goes into the first lane with room, so that the first ones have the free
/// connections. A lane that nobody uses for one to two minutes closes with its connections. Loop
/// thread only, or any single thread after the loop's stop().
class http_client_lanes {
public:
  explicit http_client_lanes(loop& home) : home_{home}, sockets_{home} {}

  /// Returns the lane for the next exchange. @param secure it speaks TLS
  http_client_lane& with_room(bool secure);

  /// Takes an exchange out of its lane.
  void remove(http_client_lane& lane, CURL* easy);

  /// Returns whether a lane has something to do or became empty.
  bool any_due() const noexcept { return !due_.empty(); }

  /// Moves those lanes into `out`, which is empty.
  void take_due(std::vector<http_client_lane*>& out) { out.swap(due_); }

  /// Closes a lane that nobody needs. Not from within it.
  void tidy(http_client_lane& lane);

  /// Closes the lanes that are empty and were not used since the last call. Not from within one.
  void close_unused();

  /// Returns how many there are.
  size_t count() const;

  /// Closes all of them; no exchange may be left.
  void clear();

private:
  struct row {
    std::vector<std::unique_ptr<http_client_lane>> lanes; // holes are closed ones
    size_t first = 0;                                     // before it all are full
  };

  void look_later();

  loop& home_;
  std::optional<timer> look_;
  bool looking_ = false; // the timer runs, as long as there are lanes
  http_client_sockets sockets_;
  std::vector<http_client_lane*> due_;
  std::array<row, 2> rows_; // without and with TLS
};

} // namespace troupe
