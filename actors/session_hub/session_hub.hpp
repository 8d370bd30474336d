// All sessions of an engine: found, made, bounded, drained.
#pragma once

#include <memory>

#include <caf/local_actor.hpp>

#include "actors/running_turn_count.hpp"
#include "actors/session/session.hpp"
#include "messages/interfaces/interfaces.hpp"

namespace troupe {

/// The parts of a session hub.
struct session_hub_config {
  std::shared_ptr<const chat_settings> session;
  /// Outlives a restart of the hub, which begins again; not nullptr.
  std::shared_ptr<running_turn_count> turns = std::make_shared<running_turn_count>();
};

/// Spawns the hub, linked to its parent. Its end ends all sessions.
session_hub_actor spawn_session_hub(caf::local_actor& parent, session_hub_config config);

} // namespace troupe
