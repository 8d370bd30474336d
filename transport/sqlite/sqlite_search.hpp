// Searching the texts of messages.
#pragma once

#include "messages/store/conversation_messages.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"

namespace troupe {

/// Searches the owner's messages that are in the index.
search_page search_texts(sqlite_connection& db, const search_conversations& ask);

} // namespace troupe
