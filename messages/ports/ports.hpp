// Ports: the outside world as the actors see it. transport/ implements them, tests fake them.
//
// Every method may be called from any thread and never blocks. Callbacks run on the thread of the
// loop that does the work; an actor passes a callback that sends it a message and does nothing
// else.
#pragma once

#include <functional>
#include <memory>

#include "messages/http.hpp"
#include "messages/mcp/mcp_channel.hpp"
#include "messages/ports/client_ports.hpp"

namespace troupe {

/// A running exchange. Destroying it cancels: the upstream connection is closed and no callback
/// follows. A callback that already runs on another thread may still arrive, so callers number
/// their exchanges.
class http_exchange {
public:
  virtual ~http_exchange() = default;

  /// Stops reading from the peer; bytes that were already read still arrive.
  virtual void pause() = 0;

  /// Reads on.
  virtual void resume() = 0;
};

/// Outgoing HTTP/1.1 and HTTP/2 with connection reuse.
class http_port {
public:
  virtual ~http_port() = default;

  using receiver = std::function<void(http_part&&)>;

  /// Starts an exchange. Every failure, also a malformed URL, arrives as a last part.
  /// @param exchange the caller's number, repeated in every part
  virtual std::unique_ptr<http_exchange> open(http_request request, uint64_t exchange,
                                              receiver deliver) = 0;
};

/// An open channel to one MCP server. Destroying it closes at once.
class mcp_channel {
public:
  virtual ~mcp_channel() = default;

  /// Sends one JSON-RPC message (one line, no newline in it).
  virtual void send(mcp_outbound message) = 0;

  /// Closes in the protocol's own order (stdio: stdin, SIGTERM, SIGKILL; HTTP: DELETE); the end
  /// arrives as a `closed` inbound within 6 seconds.
  virtual void close() = 0;
};

/// Opens channels to MCP servers: one implementation per transport, chosen by the configuration.
class mcp_port {
public:
  virtual ~mcp_port() = default;

  using receiver = std::function<void(mcp_inbound&&)>;

  /// Opens a channel; `opened` or `closed` arrives as its first inbound.
  /// @param channel the caller's number, repeated in every inbound
  virtual std::unique_ptr<mcp_channel> open(const mcp_server_config& config, uint64_t channel,
                                            receiver deliver) = 0;
};

} // namespace troupe
