// One MCP server, shared by all chats: handshake, calls, lists, reconnection with backoff.
#pragma once

#include <caf/fwd.hpp>

#include "actors/mcp_connection/mcp_backoff.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/mcp/mcp_config.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// Spawns the connection of one configured server, linked to its hub. It connects at once, reports
/// every change as server_status, and connects again when the connection is lost. While a session
/// that the server forgot is made anew, health and offer stay as they were. Ends only by disconnect
/// or with its hub.
/// @param port outlives the actor
mcp_connection_actor spawn_mcp_connection(caf::local_actor& parent, mcp_port& port,
                                          mcp_server_config config);

} // namespace troupe
