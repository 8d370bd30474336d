// The HTTP/1.1 server: requests become values, and answers are sent at the speed of the client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "messages/errors.hpp"
#include "messages/limits.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

class shards;

/// Gets every request, whatever its method and path, with its body, as its gate decided. Runs on
/// the thread of the loop that has the connection and must not block; the answer may be given
/// later, by any thread. If it throws, the connection closes.
using request_handler = std::function<void(server_request&&, std::shared_ptr<http_response>)>;

/// The decision about a request from its head, before its body is read.
struct body_permit {
  /// false: the handler gets the request at once, without its body, and what the client sends is
  /// dropped; the connection closes after the answer. Means nothing where there is no body.
  bool read = true;
  /// The handler answers a request whose body is above the limit, too; else the server does, as
  /// JSON.
  bool answers_too_large = false;
  /// Takes the body piece by piece instead of memory; nullptr: memory does.
  std::shared_ptr<body_sink> sink = {};
  size_t max_body_bytes = 0; ///< for this request; 0: as server_limits say
  /// Whose share of the memory for waiting bytes the body counts to, and then what the client
  /// leaves unread, or sends over the WebSocket that the request becomes; "": nobody's.
  std::string owner = {};
};

/// Decides about each request, once. Runs where the handler runs and must not block.
using request_gate = std::function<body_permit(const server_request&)>;

/// Listens on every shard and serves HTTP/1.1 and HTTP/1.0. One connection lives on one shard; its
/// requests are answered in order, one at a time. The server itself answers malformed and too large
/// requests, as JSON. An answer may run for ever and may be silent for any time; only a client that
/// takes no bytes is closed.
///
/// The members are for one thread at a time, not a loop's; connections() and load() are for any
/// thread. Answers
/// that were handed out may outlive the server, but not the shards.
class http_server {
public:
  /// @param home carries the connections; must outlive the server
  /// @param gate without one each body is read, and nothing counts to an owner
  http_server(shards& home, server_limits limits, request_handler handler, request_gate gate = {});

  /// Like close().
  ~http_server();

  http_server(const http_server&) = delete;
  http_server& operator=(const http_server&) = delete;

  /// Starts to listen. Looks names up, so it may block. At most once per server.
  /// @param address "127.0.0.1:8080", "[::1]:0", "0.0.0.0:80" or "localhost:0"; port 0 takes a free
  /// one
  /// @return config_invalid for a malformed address; address_unavailable with a remedy
  failure listen(std::string_view address);

  /// Returns the port listened on, or 0.
  uint16_t port() const;

  /// From now on each connection closes after its next answer, and says so; new ones are taken.
  void announce_end();

  /// Stops listening, and continues with the connections that are open.
  void stop_listening();

  /// Stops listening and closes the connections that wait for a request. Running answers continue;
  /// each connection closes after its answer.
  void stop_accepting();

  /// Ends everything: running answers get `gone`. Returns when no callback can follow.
  void close();

  /// Returns how many connections are open. Any thread.
  size_t connections() const;

  /// Returns what the clients take at present. Any thread.
  client_load load() const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace troupe
