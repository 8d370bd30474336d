// The byte stream under a WebSocket client: libcurl connects it, the loop reads and writes it.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "messages/errors.hpp"
#include "transport/loop/loop.hpp"

namespace troupe {

/// The other end of a stream.
struct stream_target {
  std::string url;   ///< http:// http:// or https://; only scheme, host and port are used
  std::string proxy; ///< URL of a proxy, which is asked to CONNECT; empty = as the environment says
  std::chrono::milliseconds connect_timeout{10'000}; ///< name lookup, proxy, TCP and TLS
};

/// Gets the events of a stream; loop thread. No call may destroy the stream.
class stream_listener {
public:
  virtual ~stream_listener() = default;

  virtual void stream_connected() = 0;

  /// One read, at most 16 KiB.
  virtual void stream_read(std::string_view bytes) = 0;

  /// The stream is over: it could not be connected (connect_failed), or it broke or the peer closed
  /// it (connection_cut). No report follows.
  virtual void stream_ended(failure why) = 0;
};

/// One connection to a host, in plain or with TLS. libcurl does name lookup, proxies, certificates
/// and the choice among several addresses, with the settings of http_client. Loop thread only, or
/// any single thread after stop(). Destroying it closes the connection.
class websocket_client_socket {
public:
  websocket_client_socket(loop& home, stream_listener& listener);
  ~websocket_client_socket();
  websocket_client_socket(const websocket_client_socket&) = delete;
  websocket_client_socket& operator=(const websocket_client_socket&) = delete;

  /// Begins to connect; call once. Never calls the listener from within.
  void connect(const stream_target& target);

  /// Returns the buffer to append to. Its bytes leave in one write at the end of the iteration.
  /// Without bound: callers check queued(). Bytes appended before it is connected or after its end
  /// are not sent.
  std::string& outgoing();

  /// Returns the number of bytes that the kernel has not taken yet.
  size_t queued() const noexcept;

  /// Stops or resumes reading.
  void set_reading(bool on);

  /// Sends the bytes that the kernel takes at once, closes, and reports nothing more.
  void close();

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace troupe
