// What the session hub knows of one session.
#pragma once

#include <cstdint>
#include <string>

#include <caf/actor_control_block.hpp>

#include "actors/session_hub/idle_sessions.hpp"
#include "messages/interfaces/interfaces.hpp"

namespace troupe {

//   idle --start--> running --turn_ended--> idle
//    |                 |  '--turn_ended, unsaved--> unsaved --chat_saved--> idle
//    |                 |                               '--start--> running
//    '--> ending <-----'   until its DOWN; unless it has something unsaved and says so
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
