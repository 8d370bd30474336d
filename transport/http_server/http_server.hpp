// The HTTP/1.1 server: requests of clients become values, answers go out as the client takes them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "messages/errors.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

class shards;

/// What one server allows its clients. Times are per connection.
struct server_limits {
  size_t max_connections = 10'000;         ///< of all shards; one more is answered with 503
  size_t max_header_bytes = 16 * 1024;     ///< request line and headers; else 431
  size_t max_body_bytes = 8 * 1024 * 1024; ///< else 413; of one WebSocket message, too
  std::chrono::milliseconds header_timeout{10'000}; ///< from the first byte to the whole head
  std::chrono::milliseconds body_timeout{30'000};   ///< between two reads of the body
  std::chrono::milliseconds idle_timeout{75'000};   ///< between two requests
  std::chrono::milliseconds stall_timeout{60'000};  ///< bytes wait and the client takes none
  std::chrono::milliseconds keep_alive{15'000}; ///< of silence, then http_response::keep_alive acts
  std::chrono::milliseconds websocket_ping{20'000};    ///< of silence, then the client is pinged
  std::chrono::milliseconds websocket_silence{60'000}; ///< nothing came, not even a pong: closed
  std::chrono::milliseconds websocket_close_timeout{5'000}; ///< for the client's close frame
  size_t high_water = 256 * 1024; ///< above so many waiting bytes write() returns false
  size_t low_water = 64 * 1024;   ///< at so many waiting bytes `drained` follows
};

/// Gets every request, whatever its method and path, with its whole body. Runs on the thread of the
/// loop that has the connection and must not block; the answer may be given later, by any thread.
/// If it throws, the connection closes.
using request_handler = std::function<void(server_request&&, std::shared_ptr<http_response>)>;

/// Listens on every shard and serves HTTP/1.1 and HTTP/1.0. One connection lives on one shard; its
/// requests are answered in the order in which they came, one at a time. Malformed and too large
/// requests are answered by the server itself, as JSON. An answer may take for ever and be silent
/// as long as it likes; only a client that takes no bytes is closed.
///
/// The members are for one thread at a time, not a loop's; connections() is for any. The answers
/// handed out may outlive the server, but not the shards.
class http_server {
public:
  /// @param home carries the connections; must outlive the server
  http_server(shards& home, server_limits limits, request_handler handler);

  /// Like close().
  ~http_server();

  http_server(const http_server&) = delete;
  http_server& operator=(const http_server&) = delete;

  /// Starts to listen. Looks names up, so it may block. At most once per server.
  /// @param address "127.0.0.1:8080", "[::1]:0", "0.0.0.0:80" or "localhost:0"; port 0 takes a free
  /// one
  /// @return config_invalid for what is no address, address_unavailable with what to do about it
  failure listen(std::string_view address);

  /// Returns the port listened on, or 0.
  uint16_t port() const;

  /// Stops listening and closes the connections that wait for a request. Answers that are under way
  /// go on; each connection closes after its own.
  void stop_accepting();

  /// Ends everything: running answers get `gone`. Returns when no callback can follow.
  void close();

  /// Returns how many connections are open. Any thread.
  size_t connections() const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace troupe
