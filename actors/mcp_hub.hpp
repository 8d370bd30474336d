// All MCP servers of an engine: their connections, the tools index, the leases.
#pragma once

#include <vector>

#include <caf/local_actor.hpp>

#include "messages/interfaces.hpp"
#include "messages/mcp.hpp"
#include "messages/ports.hpp"

namespace troupe {

/// The configured servers, in the order that decides about names.
struct mcp_hub_config {
  mcp_port* port = nullptr; ///< outlives the actors
  std::vector<mcp_server_config> servers;
};

/// Spawns the hub, linked to its parent, and a connection for each enabled server. A connection
/// that crashes is started anew after a delay. A caller that dies gives its leases back, and its
/// calls are cancelled.
mcp_hub_actor spawn_mcp_hub(caf::local_actor& parent, mcp_hub_config config);

} // namespace troupe
