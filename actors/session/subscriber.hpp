// One viewer of one turn: events to its sink, its fate back to the session.
#pragma once

#include <memory>

#include <caf/actor_system.hpp>

#include "messages/interfaces/interfaces.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// Asks the registered session_hub for the turn and carries its events to `sink`. Any thread.
/// Dies after the terminal event, a refusal, or when the client is gone (which aborts the turn
/// unless it is resumable). If the session crashes, the sink gets a SESSION_ERROR.
subscriber_actor spawn_subscriber(caf::actor_system& system, turn_request request,
                                  std::unique_ptr<event_sink> sink);

/// As spawn_subscriber for a turn that somebody asked for before: replayed, then live. `credit` of
/// the request is set here. The sink's first batch may have no events: the turn is there, and what
/// happens next follows. Refused with turn_not_running if there is nothing to see. Any thread.
subscriber_actor spawn_viewer(caf::actor_system& system, watch_turn request,
                              std::unique_ptr<event_sink> sink);

} // namespace troupe
