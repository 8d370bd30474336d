// One client of one turn: events to its sink, its fate back to the session.
#pragma once

#include <memory>

#include <caf/actor_system.hpp>

#include "messages/interfaces.hpp"
#include "messages/ports.hpp"

namespace troupe {

/// Asks the registered session_hub for the turn and carries its events to `sink`. Any thread.
/// Dies after the terminal event, a refusal, or when the client is gone (which aborts the turn). If
/// the session crashes, the sink gets a SESSION_ERROR.
subscriber_actor spawn_subscriber(caf::actor_system& system, turn_request request,
                                  std::unique_ptr<event_sink> sink);

} // namespace troupe
