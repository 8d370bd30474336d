// A WebSocket, seen from the client (RFC 6455): handshake, texts, pings, closing.
//
//   start --> connecting --> shaking --> open --------------------------> ended
//                  \             \          \-- close: our close frame --^
//                   \-------------\--- refused, too late, broken --------^
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "messages/http.hpp"
#include "transport/loop/loop.hpp"
#include "transport/loop/timer.hpp"
#include "transport/websocket/websocket_client_socket.hpp"
#include "transport/websocket/websocket_frames.hpp"
#include "transport/websocket/websocket_handshake.hpp"

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

/// A WebSocket to open.
struct websocket_target {
  std::string url;         ///< ws:// or wss://
  std::string subprotocol; ///< offered; the server may choose it or none
  headers fields;          ///< sent with the handshake; may be secret
  std::string proxy;       ///< URL of a proxy, asked to CONNECT; empty = as the environment says
  std::chrono::milliseconds connect_timeout{10'000}; ///< until the handshake is answered
};

/// Bounds and timeouts of a WebSocket client.
struct websocket_limits {
  size_t message_bytes = 16 * 1024 * 1024;         ///< longest message of the peer
  std::chrono::milliseconds ping_interval{15'000}; ///< from one answered ping to the next
  std::chrono::milliseconds pong_deadline{10'000}; ///< for anything to come after a ping
  std::chrono::milliseconds close_grace{2'000};    ///< for the peer's close frame after ours
};

/// One WebSocket that carries texts. Answers pings; an unanswered ping of ours ends it. Loop thread
/// only, or any single thread after stop(). Destroying it cuts the connection.
class websocket_client : stream_listener {
public:
  websocket_client(loop& home, websocket_listener& listener, const websocket_limits& limits);
  ~websocket_client() override = default;
  websocket_client(const websocket_client&) = delete;
  websocket_client& operator=(const websocket_client&) = delete;

  /// Begins to connect; call once. Never calls the listener from within.
  void start(const websocket_target& target);

  /// Sends one text, which must be UTF-8. All texts of one iteration leave in one write. Without
  /// bound: callers check queued(). Does nothing unless it is open.
  void send(std::string_view text);

  /// Returns the number of bytes that the kernel has not taken yet.
  size_t queued() const noexcept { return socket_.queued(); }

  /// Stops or resumes reading; while it is stopped, the peer owes no pong.
  void set_reading(bool on);

  /// Closes with status 1000, after all queued texts; ends within `close_grace`. Idempotent.
  void close();

private:
  enum class phase { connecting, shaking, open, closing, ended };

  void stream_connected() override;
  void stream_read(std::string_view bytes) override;
  void stream_ended(failure why) override;

  void read_handshake(std::string_view bytes);
  void read_frames(std::string_view bytes);
  void take(websocket_message&& message);
  void deliver();
  void on_close_frame(const websocket_message& message);
  void on_watch();
  void on_ping_time();
  void append(websocket_opcode what, std::string_view payload);
  void refuse(uint16_t status, std::string_view text);
  void end(errc code, std::string text);
  const websocket_mask* next_mask();

  websocket_listener& listener_;
  websocket_limits limits_;
  phase now_ = phase::connecting;
  websocket_target target_;
  failure wrong_; // a fault found by start(), reported later
  std::string key_;
  std::string head_; // the handshake, then its answer
  websocket_reader reader_;
  websocket_batch batch_; // of the present read
  std::vector<websocket_mask> masks_;
  bool pinged_ = false;
  bool heard_ = false; // since the last ping
  bool reading_ = true;
  timer watch_;
  websocket_client_socket socket_;
};

} // namespace troupe
