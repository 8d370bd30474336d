// The actor that reads chats for their sessions, beside the writes.
#pragma once

#include <caf/local_actor.hpp>
#include <caf/typed_actor.hpp>

#include "messages/interfaces/interfaces.hpp"
#include "messages/store/store_port.hpp"

namespace troupe {

/// Reads chats, long ones in pieces that take turns. Only the store asks it.
using conversation_loader_actor = caf::typed_actor<
    // The chat as it was committed when the question came, or later; version 0 if there is none.
    caf::replies_to<load_chat>::with<chat_record>,
    // INTERNAL: time for the next piece.
    caf::reacts_to<atom::piece>>;

/// Spawns it, linked to its parent. @param port outlives it @param detached a thread of its own;
/// false: its reads hold up the scheduler (tests)
conversation_loader_actor spawn_conversation_loader(caf::local_actor& parent, store_port& port,
                                                    bool detached);

} // namespace troupe
