// What is done to conversations from outside of their sessions.
#pragma once

#include <cstdint>

#include "messages/store/conversation_change.hpp"
#include "transport/sqlite/sqlite_connection.hpp"

namespace troupe {

/// Changes a conversation within the running transaction; what is refused has written nothing.
/// @param out what it is then; after a branch the new one
failure apply_change(sqlite_connection& db, const change_conversation& ask, int64_t now_ms,
                     conversation_info& out);

} // namespace troupe
