// What sessions keep and get back.
#pragma once

#include <cstdint>

#include "messages/conversation_messages.hpp"
#include "messages/store_messages.hpp"
#include "transport/sqlite/sqlite_connection.hpp"

namespace troupe {

/// Writes a save within the running transaction; what is refused has written nothing.
/// @param version of the conversation then
failure apply_save(sqlite_connection& db, const save_chat& ask, int64_t now_ms, uint64_t& version);

/// Returns all that a session needs of its chat; version 0 if there is none.
chat_record read_chat(sqlite_connection& db, const load_chat& ask);

/// Returns all of a conversation.
conversation_answer read_conversation(sqlite_connection& db, const get_conversation& ask);

} // namespace troupe
