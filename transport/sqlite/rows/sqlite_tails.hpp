// Long tails of conversations that were cut off: gone at once, cleared away in pieces.
#pragma once

#include <cstdint>

#include "transport/sqlite/database/sqlite_connection.hpp"
#include "transport/sqlite/rows/sqlite_conversations.hpp"

namespace troupe {

/// Returns in `out` whether the messages behind the first `keep` are more than one piece.
failure is_long_tail(sqlite_connection& db, const conversation_row& row, uint64_t keep, bool& out);

/// Notes that rows stay behind the last message of a conversation: nobody sees them.
failure leave_tail(sqlite_connection& db, int64_t key);

/// Clears away messages, in the search index, too. @param first, end keys of their rows
/// @param bytes of their conversation (conversation_row::bytes): become fewer
failure clear_rows(sqlite_connection& db, int64_t first, int64_t end, uint64_t& bytes);

/// Finds a conversation behind whose last message rows have stayed. @param out 0: there is none
failure find_tail(sqlite_connection& db, int64_t& out);

/// Clears away a piece of the rows behind the last message of a conversation.
failure clear_tail_piece(sqlite_connection& db, int64_t key);

} // namespace troupe
