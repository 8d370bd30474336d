// Changes of conversations from outside: the store makes them, and the chat's session, which knows
// only the old state, has to end.
#pragma once

#include <chrono>

#include <caf/actor_system.hpp>
#include <caf/typed_actor.hpp>

#include "apps/engine/config.hpp"
#include "messages/interfaces/type_ids.hpp"

namespace troupe {

/// How long the store may take for one answer; then store_timeout.
inline constexpr std::chrono::seconds store_answer_limit{30};

/// The same for imports and branches, which are made in pieces between other writes.
inline constexpr std::chrono::seconds long_change_limit{600};

/// Makes one change and ends.
using conversation_changer_actor = caf::typed_actor<
    // Answers when it is done, or why not.
    caf::replies_to<change_conversation>::with<info_answer>>;

/// Spawns one. A removal aborts the turn that runs; it looks at `if_version` before that, because
/// an aborted turn is a change, too. All other changes let it run.
/// @param settings of the engine @param system outlives it
conversation_changer_actor spawn_conversation_changer(caf::actor_system& system,
                                                      const store_settings& settings);

/// Says why there is no store: there is none by intent (capability_missing), or just now.
failure store_missing(const store_settings& settings);

/// Returns the failure for a request to the store that got no answer.
failure store_lost(const caf::error& why);

} // namespace troupe
