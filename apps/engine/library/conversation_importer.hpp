// Imports of conversations: files are read beside the loops, one after the other.
#pragma once

#include <cstddef>

#include <caf/local_actor.hpp>

#include "apps/engine/config.hpp"
#include "messages/interfaces/interfaces.hpp"

namespace troupe {

/// How many files may wait; further ones are refused (rate_limited).
inline constexpr size_t most_waiting_imports = 64;

/// Spawns the importer, linked to its parent. It has a thread of its own, which yields to all
/// others: a file of many messages takes long to read. One conversation is in memory at a time.
/// @param settings of the engine
/// @param detached false: its work holds up the scheduler (tests)
conversation_importer_actor spawn_conversation_importer(caf::local_actor& parent,
                                                        const store_settings& settings,
                                                        bool detached = true);

} // namespace troupe
