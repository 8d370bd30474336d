// Changes among MCP servers, to a function.
#pragma once

#include <functional>
#include <memory>

#include <caf/actor_system.hpp>

#include "messages/mcp/mcp_messages.hpp"

namespace troupe {

/// Calls `deliver` with each event, on an engine's thread, until the returned value is destroyed;
/// its destructor waits for a call that is under way. @param system outlives the returned value
/// @param how the subscription, which is repeated after each restart of the hub
std::shared_ptr<void> spawn_mcp_event_callback(caf::actor_system& system,
                                               std::function<void(const mcp_event&)> deliver,
                                               const watch_mcp& how);

} // namespace troupe
