// A connection of a client that has become a WebSocket (RFC 6455), seen from our server.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "messages/ports/websocket_port.hpp"
#include "transport/http_server/http_server.hpp"
#include "transport/http_server/websocket_handle.hpp"
#include "transport/websocket/websocket_frames.hpp"

namespace troupe {

class server_connection;

/// Lives in its connection. Loop thread only. Writes only to the connection's outgoing buffer.
///
///     open --close()--> closing --the client's close frame, or 5 s--> over
///       |                                                              |
///       +--its close frame, answered; or an error of its, told---------+--> the connection closes
///
/// The code of `closed` is the client's, ours when the client broke the protocol, or 1006.
class server_websocket {
public:
  using clock = std::chrono::steady_clock;

  /// @param limits outlive it
  server_websocket(server_connection& home, std::shared_ptr<websocket_link> link,
                   const server_limits& limits);
  ~server_websocket();
  server_websocket(const server_websocket&) = delete;
  server_websocket& operator=(const server_websocket&) = delete;

  // -- events of the connection

  /// Takes bytes of frames; only when is_watched().
  void receive(std::string_view bytes);

  /// The connection has written.
  void sent();

  /// The socket is gone.
  void lost();

  /// Pings a client that is silent. @param reading whether the client's bytes are being read
  /// @return false when the client was silent for too long
  bool check(clock::time_point now, bool reading);

  /// Refuses the message in the making, and forgets it: there is no room for it.
  void refuse_message();

  /// Returns how much memory the message in the making takes.
  size_t kept_bytes() const { return reader_.kept_bytes(); }

  /// Returns since when the client sends one message; nothing, if none is in the making.
  std::optional<clock::time_point> message_since() const {
    return reader_.kept_bytes() > 0 ? std::optional{message_since_} : std::nullopt;
  }

  bool is_watched() const { return is_watched_; }
  bool is_over() const { return state_ == state::over; }

  // -- calls of the handle; see websocket

  void watch(std::function<void(websocket_inbound&&)> receiver);
  void send(std::string_view text);
  void close(uint16_t code, std::string_view reason);

private:
  enum class state : uint8_t { open, closing, over };

  void take(websocket_message&& message);
  void deliver(std::string&& text);
  void fail(uint16_t code, std::string_view reason);
  void end(uint16_t code);

  server_connection& home_;
  std::shared_ptr<websocket_link> link_;
  const server_limits& limits_;
  websocket_reader reader_;
  clock::time_point heard_;  // when the client sent something
  clock::time_point pinged_; // when we pinged it
  clock::time_point closing_since_;
  clock::time_point message_since_; // when the message in the making began
  state state_ = state::open;
  bool is_watched_ = false;
};

} // namespace troupe
