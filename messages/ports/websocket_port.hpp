// WebSocket connections of clients, as the actors see them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace troupe {

/// An event on a WebSocket.
struct websocket_inbound {
  enum class kind : uint8_t {
    text,    ///< a whole text message, UTF-8 checked
    drained, ///< the outgoing buffer fell to its low-water mark
    closed,  ///< nothing more comes; `code` as in RFC 6455 7.4, 1006 without a close frame
  };
  kind what = kind::text;
  std::string text;
  uint16_t code = 0;
};

/// One WebSocket of a client, seen from our server. The transport sends and answers pings. Methods
/// are for any thread; calls after `closed` do nothing. Destroying it closes with 1001.
class websocket {
public:
  virtual ~websocket() = default;

  /// Sets the receiver of all events. Called once; nothing is read before.
  virtual void watch(std::function<void(websocket_inbound&&)> receiver) = 0;

  /// Sends one text message. Returns false while more than the high-water mark waits: stop until
  /// `drained`. Nothing is ever dropped.
  virtual bool send(std::string_view text) = 0;

  /// Starts the closing handshake; `closed` follows. @param reason at most 123 bytes
  virtual void close(uint16_t code, std::string_view reason) = 0;
};

} // namespace troupe
