// The typed actor interfaces of the store of conversations, one line of doc per message.
#pragma once

#include <caf/typed_actor.hpp>

#include "messages/interfaces/type_ids.hpp"

namespace troupe {

/// Whoever keeps a chat in the store; a session is one.
using chat_keeper_actor = caf::typed_actor<
    // What the store has of the chat.
    caf::reacts_to<chat_record>,
    // A save is durable, or failed.
    caf::reacts_to<save_answer>>;

/// Writes what must not be lost; detached. What comes while a transaction is written shares the
/// next one.
using conversation_store_actor = caf::typed_actor<
    // Answers chat_record to the sender (a chat_keeper); it sees all saves that came before. What
    // it brings is saved first if the chat is new, and the answer comes when that is durable.
    caf::reacts_to<load_chat>,
    // Answers save_answer to the sender (a chat_keeper).
    caf::reacts_to<save_chat>,
    // Renames, removes, branches, imports; answered when it is durable.
    caf::replies_to<change_conversation>::with<info_answer>,
    // Settings; an empty value removes one.
    caf::replies_to<list_settings>::with<setting_list>, caf::replies_to<setting>::with<failure>,
    // Adds or changes a key.
    caf::replies_to<api_key>::with<failure>,
    // How it is.
    caf::replies_to<atom::status>::with<store_status>,
    // Answers when all that came before is durable, or has failed.
    caf::replies_to<atom::drain>::with<atom::done>,
    // INTERNAL: time to commit; time to see whether writing works again.
    caf::reacts_to<atom::commit>, caf::reacts_to<atom::tick>>;

/// Answers questions beside the writes; detached.
using conversation_reader_actor =
    caf::typed_actor<caf::replies_to<list_conversations>::with<conversation_page>,
                     caf::replies_to<search_conversations>::with<search_page>,
                     caf::replies_to<get_conversation>::with<conversation_answer>,
                     caf::replies_to<usage_query>::with<usage_table>,
                     caf::replies_to<list_keys>::with<key_list>,
                     // INTERNAL: time for upkeep, and to look whether keys have changed.
                     caf::reacts_to<atom::tick>>;

} // namespace troupe
