// What the session hub knows of one session.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <caf/actor_control_block.hpp>

#include "actors/session_hub/idle_sessions.hpp"
#include "messages/interfaces/interfaces.hpp"

namespace troupe {

/// How long a turn may take to send its last events after it was aborted because its chat was
/// deleted, or at shutdown. At shutdown the hub waits as long for unsaved changes.
inline constexpr std::chrono::seconds abort_grace{2};

/// Where a session is, as far as its hub knows.
///
///     idle --start--> running --turn_ended--> idle
///      |                 |  '--turn_ended, unsaved--> unsaved --chat_saved--> idle
///      |                 |                               '--start--> running
///      '--> ending <-----'   until its DOWN, or until it says that something is unsaved
enum class session_phase : uint8_t { idle, running, unsaved, ending };

/// One session, from its spawn to its DOWN.
struct session_entry {
  session_actor handle;
  session_phase phase = session_phase::idle;
  bool stale = false;           ///< the next turn needs a new session: it ends as soon as it can
  bool deleted = false;         ///< ends at once, whatever is unsaved
  idle_sessions::place place;   ///< when idle
  caf::strong_actor_ptr client; ///< of the running turn
  std::string turn_id;          ///< of the running turn; may be empty
};

} // namespace troupe
