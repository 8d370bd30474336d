// One MCP server, shared by all chats: handshake, calls, reconnection with backoff.
#pragma once

#include <chrono>

#include "messages/interfaces.hpp"
#include "messages/mcp.hpp"
#include "messages/ports.hpp"

namespace troupe {

/// Returns how long to wait before reconnection number `attempt` (from 0): min(30 s, 1 s *
/// 2^attempt).
std::chrono::milliseconds reconnect_delay(uint32_t attempt);

/// Spawns the connection of one configured server, linked to its hub. It connects at once, reports
/// every change as server_status, and connects again when the connection is lost. Ends only by
/// disconnect or with its hub.
/// @param port outlives the actor
mcp_connection_actor spawn_mcp_connection(mcp_hub_actor::pointer parent, mcp_port& port,
                                          mcp_server_config config);

} // namespace troupe
