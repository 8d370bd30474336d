// The typed actor interfaces of the store of conversations, one line of doc per message.
#pragma once

#include <caf/typed_actor.hpp>

#include "messages/interfaces/type_ids.hpp"

namespace troupe {

/// An actor that keeps a chat in the store, such as a session.
using chat_keeper_actor = caf::typed_actor<
    // The stored chat.
    caf::reacts_to<chat_record>,
    // A save is durable, or failed.
    caf::reacts_to<save_answer>>;

/// Writes chats, settings and keys; detached. Writes that arrive during a transaction share the
/// next one.
using conversation_store_actor = caf::typed_actor<
    // Answers chat_record to the sender (a chat_keeper), with all earlier saves in it. If the chat
    // is new, load_chat::first is saved before, and the answer comes when the save is durable.
    caf::reacts_to<load_chat>,
    // Answers save_answer to the sender (a chat_keeper).
    caf::reacts_to<save_chat>,
    // Renames, removes, branches, imports; answered when it is durable. Long ones are made in
    // pieces, between which other writes come.
    caf::replies_to<change_conversation>::with<info_answer>,
    // Settings; an empty value removes one.
    caf::replies_to<list_settings>::with<setting_list>, caf::replies_to<setting>::with<failure>,
    // Adds or changes a key.
    caf::replies_to<api_key>::with<failure>,
    // The state of the store.
    caf::replies_to<atom::status>::with<store_status>,
    // Answers when all earlier writes are durable, or have failed.
    caf::replies_to<atom::drain>::with<atom::done>,
    // INTERNAL: time to commit; time to see whether writing works again; time for a piece of a long
    // change; time to see whether the database is in its place.
    caf::reacts_to<atom::commit>, caf::reacts_to<atom::tick>, caf::reacts_to<atom::piece>,
    caf::reacts_to<atom::look>>;

/// Reads files of conversations and has the store keep them, one after the other; detached.
using conversation_importer_actor = caf::typed_actor<
    // Answered when it is durable, or with what is wrong.
    caf::replies_to<import_file>::with<info_answer>>;

/// Answers queries while the other actor writes; detached.
using conversation_reader_actor =
    caf::typed_actor<caf::replies_to<list_conversations>::with<conversation_page>,
                     caf::replies_to<search_conversations>::with<search_page>,
                     caf::replies_to<get_conversation>::with<conversation_answer>,
                     caf::replies_to<usage_query>::with<usage_table>,
                     caf::replies_to<list_keys>::with<key_list>,
                     // INTERNAL: time for upkeep, and to look whether keys have changed.
                     caf::reacts_to<atom::tick>>;

} // namespace troupe
