// Searching the texts of messages.
#pragma once

#include <cstdint>

#include "messages/store/conversation_messages.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"

namespace troupe {

/// Searches the owner's messages that are in the index. Messages that lie more than a day ahead
/// were kept while the clock was wrong: they come last.
search_page search_texts(sqlite_connection& db, const search_conversations& ask, int64_t now_ms);

} // namespace troupe
