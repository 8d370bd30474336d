// Changes of conversations that do not come from their sessions.
#pragma once

#include <cstdint>

#include "messages/store/conversation_change.hpp"
#include "transport/sqlite/rows/sqlite_books.hpp"

namespace troupe {

/// Changes a conversation within the running transaction; a refused change has written nothing.
/// @param out its new state; after a branch, the copy's
failure apply_change(sqlite_books& books, const change_conversation& ask, int64_t now_ms,
                     conversation_info& out);

} // namespace troupe
