// MCP over a WebSocket with the subprotocol "mcp": one JSON-RPC message per text.
#pragma once

#include <cstddef>
#include <memory>

#include "transport/loop/loop.hpp"
#include "transport/mcp/mcp_link.hpp"
#include "transport/mcp/mcp_throttle.hpp"
#include "transport/websocket/websocket_client.hpp"

namespace troupe {

/// How much a WebSocket channel holds, and how patient it is.
struct mcp_websocket_limits {
  websocket_limits socket{};
  mcp_flood_limits flood{};
  size_t queue_bytes = 16 * 1024 * 1024; ///< messages that the server has not read yet
};

/// Makes a channel to `config.url` (ws:// or wss://), by way of `config.proxy` if there is one and
/// with `config.http_headers` in the handshake. No specification of MCP describes it; the SDKs'
/// WebSocket transports do the same. It reports
/// - opened: the handshake is done, within `config.connect_timeout`;
/// - received: all messages that one read completed;
/// - failed with server_unavailable: it is not open, or the server does not read and the queue is
///   full;
/// - closed with none after close(), and otherwise as websocket_listener says.
std::shared_ptr<mcp_link> make_mcp_websocket(loop& home, const mcp_server_config& config,
                                             mcp_reporter reports,
                                             const mcp_websocket_limits& limits = {});

} // namespace troupe
