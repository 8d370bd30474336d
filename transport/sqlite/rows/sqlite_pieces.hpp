// Bounded pieces of the rows of a conversation, and rows that nobody sees.
#pragma once

#include <cstdint>
#include <string_view>

#include "transport/sqlite/database/sqlite_connection.hpp"
#include "transport/sqlite/rows/sqlite_conversations.hpp"
#include "transport/store/piece_size.hpp"

namespace troupe {

/// Returns in `end` the key behind a piece of the messages from `first` on, at most `last`. The
/// piece has at least one message if there is any; `end` is `last` if none is left behind it.
failure find_piece(sqlite_connection& db, int64_t first, int64_t last, int64_t& end);

/// Returns in `out` whether the messages of a conversation are more than one piece.
failure takes_pieces(sqlite_connection& db, int64_t key, bool& out);

/// Adds a row that nobody sees, because it has the owner 0; sets its key.
failure add_unseen(sqlite_connection& db, conversation_row& row);

/// Shows a row that add_unseen() added: it gets its id, its owner, and the values of `row`.
/// @return conversation_exists if there is one of that id
failure show(sqlite_connection& db, std::string_view session_id, conversation_row& row);

/// Hides a conversation for good; clear_piece() clears it away.
failure hide(sqlite_connection& db, const conversation_row& row);

/// Clears away a piece of a conversation that nobody sees. @param key of its row
/// @param more set to whether something of it is left
failure clear_piece(sqlite_connection& db, int64_t key, bool& more);

} // namespace troupe
