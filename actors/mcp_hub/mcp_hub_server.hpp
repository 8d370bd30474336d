// The mcp_hub's entry of one configured server.
#pragma once

#include <chrono>
#include <cstdint>

#include "actors/mcp_hub/sampling_budget.hpp"
#include "actors/mcp_hub/seen_tools.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/mcp/mcp_config.hpp"
#include "messages/mcp/server_status.hpp"

namespace troupe {

using hub_clock = std::chrono::steady_clock;

/// One configured server.
struct hub_server {
  mcp_server_config config;
  mcp_connection_actor connection; ///< none while disabled, crashed, or its predecessor closes
  server_status status;
  frozen<server_tools> known; ///< its last complete list, also while it is down
  seen_tools seen;            ///< since the entry was made, changed or enabled
  sampling_budget sampled;    ///< by models of ours
  bool settled = false;       ///< connected or failed at least once
  uint32_t crashes = 0;       ///< in a row
  hub_clock::time_point up_since;
  hub_clock::time_point restart_due;
};

/// How far the hub's own end is.
enum class hub_end_phase : uint8_t { none, waiting_for_calls, closing, over };

/// A list_tools that waits for servers that are still connecting.
struct waiting_list {
  tool_client_actor client;
  list_tools ask;
  hub_clock::time_point due;
};

/// Returns the status of a server that has no connection (yet).
server_status fresh_status(const mcp_server_config& config);

/// Returns the status of a server that cannot be started as it is configured.
server_status faulty_status(const mcp_server_config& config);

} // namespace troupe
