// MCP over a WebSocket with the subprotocol "mcp": one JSON-RPC message per text.
#pragma once

#include <cstddef>
#include <memory>

#include "transport/loop/loop.hpp"
#include "transport/mcp/mcp_link.hpp"
#include "transport/mcp/mcp_throttle.hpp"
#include "transport/websocket/websocket_client.hpp"

namespace troupe {

/// Bounds and timeouts of a WebSocket channel.
struct mcp_websocket_limits {
  websocket_limits socket{};
  mcp_flood_limits flood{};
  size_t queue_bytes = 16 * 1024 * 1024; ///< messages that the server has not read yet
};

/// Makes a channel to `config.url` (ws:// or wss://), through `config.proxy` if there is one and
/// with `config.http_headers` in the handshake. MCP's specification has no WebSocket transport;
/// this one matches the transports of the SDKs. It reports
/// - opened: the handshake is done, within `config.connect_timeout`;
/// - received: all messages that one read completed, without byte order marks in front;
/// - failed with server_unavailable: it is not open, or the server does not read and the queue is
///   full;
/// - closed with none after close(), and otherwise with the failure of websocket_listener.
std::shared_ptr<mcp_link> make_mcp_websocket(loop& home, const mcp_server_config& config,
                                             mcp_reporter reports,
                                             const mcp_websocket_limits& limits = {});

} // namespace troupe
