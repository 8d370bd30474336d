// All sessions of an engine: found, made, bounded, drained.
#pragma once

#include <cstddef>
#include <memory>

#include <caf/local_actor.hpp>

#include "actors/running_turn_count.hpp"
#include "actors/session/session.hpp"
#include "messages/interfaces.hpp"

namespace troupe {

/// How many sessions there may be. At the limit the session that was idle for longest gives way.
struct session_hub_config {
  size_t max_sessions = 100'000;
  std::shared_ptr<const session_config> session;
  /// Outlives a restart of the hub, which begins anew; not nullptr.
  std::shared_ptr<running_turn_count> turns = std::make_shared<running_turn_count>();
};

/// Spawns the hub, linked to its parent. Its end ends all sessions.
session_hub_actor spawn_session_hub(caf::local_actor& parent, session_hub_config config);

} // namespace troupe
