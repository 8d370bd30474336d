// The receiver of a WebSocket's events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "messages/errors.hpp"

namespace troupe {

/// The texts of one read.
struct websocket_batch {
  std::vector<std::string> texts; ///< may be empty; checked to be UTF-8
  uint64_t frames = 0;            ///< of any kind
  size_t bytes = 0;
};

/// Gets the events of a WebSocket; loop thread. No call may destroy the WebSocket.
class websocket_listener {
public:
  virtual ~websocket_listener() = default;

  virtual void websocket_opened() = 0;

  virtual void websocket_received(websocket_batch batch) = 0;

  /// The end, once. none: after close(); config_invalid: the URL or a header is wrong;
  /// server_unavailable: it was not opened; server_protocol; server_lost: it broke, the peer closed
  /// it or does not answer pings. The text is a predicate: "closed the WebSocket with ...".
  virtual void websocket_ended(failure why) = 0;
};

} // namespace troupe
