// How an actor stays a watcher of the MCP hub, also of one that was restarted.
#pragma once

#include <chrono>

#include <caf/event_based_actor.hpp>

#include "actors/monitors.hpp"
#include "actors/registry.hpp"
#include "messages/mcp/mcp_messages.hpp"

namespace troupe {

/// The delay before the hub is looked for again.
inline constexpr std::chrono::milliseconds subscription_delay{100};

/// Sends atom::restart after a delay, upon which the actor calls subscribe_to_hub(). For down
/// handlers: the dead hub may still be registered.
template <class Self>
void subscribe_to_hub_later(Self* self) {
  self->delayed_send(self, subscription_delay, atom::restart_v);
}

/// Asks the hub for its events and monitors it; without one it is tried again later.
template <class Self>
void subscribe_to_hub(Self* self, monitors& watched, const watch_mcp& how) {
  auto hub = whereis<mcp_hub_for_watchers>(self->system(), mcp_hub_name);
  if (!hub)
    return subscribe_to_hub_later(self);
  watched.add(hub);
  self->send(hub, how);
}

} // namespace troupe
