// The rows of conversations and of their owners.
#pragma once

#include <cstdint>
#include <string_view>

#include "messages/store/conversation_messages.hpp"
#include "messages/store/store_copying.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"
#include "transport/store/conversation_row.hpp"

namespace troupe {

/// Finds the row of a scoped id; `out.key` stays 0 if there is none.
failure find_conversation(sqlite_connection& db, std::string_view session_id,
                          conversation_row& out);

/// Returns conversation_exists if there is a conversation of that scoped id.
failure need_free(sqlite_connection& db, std::string_view session_id);

/// Like find_conversation; conversation_unknown if there is none, conversation_changed if it has
/// another version than `if_version`. @param if_version 0: any version
failure need_conversation(sqlite_connection& db, std::string_view session_id, uint64_t if_version,
                          conversation_row& out);

/// Returns the number of an owner in `out`; 0: the owner has no data.
failure find_owner(sqlite_connection& db, std::string_view name, int64_t& out);

/// Like find_owner; gives a new owner a number.
failure need_owner(sqlite_connection& db, std::string_view name, int64_t& out);

/// Returns a piece of the owners, by their numbers.
owner_list read_owners(sqlite_connection& db, const list_owners& ask);

/// Adds a row for a scoped id, with the values of `row`; sets its key, and its owner if that is 0.
failure add_conversation(sqlite_connection& db, std::string_view session_id, conversation_row& row);

/// Writes the columns of a row that can change.
failure write_conversation(sqlite_connection& db, const conversation_row& row);

/// Removes a conversation with all its rows.
failure remove_conversation(sqlite_connection& db, const conversation_row& row);

/// Returns a page of an owner's conversations.
conversation_page list_page(sqlite_connection& db, const list_conversations& ask);

} // namespace troupe
