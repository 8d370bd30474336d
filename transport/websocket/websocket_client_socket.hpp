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

/// Where to connect to.
struct stream_target {
  std::string url;   ///< http:// or https://; of it, only scheme, host and port matter
  std::string proxy; ///< URL of a proxy, which is asked to CONNECT; empty = as the environment says
  std::chrono::milliseconds connect_timeout{10'000}; ///< name lookup, proxy, TCP and TLS
};

/// Is told what a stream does; loop thread. No call may destroy the stream.
class stream_listener {
public:
  virtual ~stream_listener() = default;

  virtual void stream_connected() = 0;

  /// One read, at most 64 KiB.
  virtual void stream_read(std::string_view bytes) = 0;

  /// It could not be connected (connect_failed), or broke or was closed by the peer
  /// (connection_cut); nothing comes after it.
  virtual void stream_ended(failure why) = 0;
};

/// One connection to a host, in plain or with TLS. Name lookup, proxies, certificates and the
/// choice among several addresses are libcurl's, with the same settings as those of http_client.
/// Loop thread only, or any single thread after stop(). Destroying it closes the connection.
class websocket_client_socket {
public:
  websocket_client_socket(loop& home, stream_listener& listener);
  ~websocket_client_socket();
  websocket_client_socket(const websocket_client_socket&) = delete;
  websocket_client_socket& operator=(const websocket_client_socket&) = delete;

  /// Begins to connect; call once. The listener is never told from within.
  void connect(const stream_target& target);

  /// Returns where to append what is to be sent: it leaves in one write when the loop has done
  /// everything else of this iteration. Without bound: callers look at queued(). Before it is
  /// connected and after its end, what is appended is not sent.
  std::string& outgoing();

  /// Returns the number of bytes that the kernel has not taken yet.
  size_t queued() const noexcept;

  /// Stops or resumes reading.
  void set_reading(bool on);

  /// Sends what the kernel takes at once, closes, and reports nothing more.
  void close();

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace troupe
