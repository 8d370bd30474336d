// Searching the texts of messages.
#pragma once

#include <cstdint>

#include "messages/store/conversation_messages.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"

namespace troupe {

/// Searches the owner's messages. The index finds texts that have all words; whether they stand as
/// the query has them is looked at here, so that the results are those of every store. Messages
/// that lie more than a day ahead were kept while the clock was wrong: they come last. After 8,192
/// texts, or most of the time, the page ends, full or not, with `next` to go on from.
search_page search_postgres(postgres_connection& db, const search_conversations& ask,
                            int64_t now_ms);

} // namespace troupe
