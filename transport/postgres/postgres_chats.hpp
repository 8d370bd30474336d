// The rows of conversations and of their owners.
#pragma once

#include <cstdint>
#include <string_view>

#include "messages/store/chat_claim.hpp"
#include "messages/store/conversation_messages.hpp"
#include "messages/store/owner_quota.hpp"
#include "messages/store/store_copying.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"
#include "transport/store/conversation_row.hpp"

namespace troupe {

/// The row of a conversation, with its claim.
struct postgres_chat : conversation_row {
  chat_fence fence = {};
};

/// Columns: id, owner, overrides, name, title, created, updated, messages, version, bytes, place,
/// node, epoch.
postgres_chat read_chat_columns(const postgres_rows& rows);

/// Finds the row of a scoped id; `out.key` stays 0 if there is none.
failure find_chat(postgres_connection& db, std::string_view session_id, postgres_chat& out);

/// Like find_chat; conversation_unknown if there is none, conversation_changed if it has another
/// version than `if_version`. @param if_version 0: any version
failure need_chat(postgres_connection& db, std::string_view session_id, uint64_t if_version,
                  postgres_chat& out);

/// Returns a page of an owner's conversations.
conversation_page list_chats(postgres_connection& db, const list_conversations& ask);

/// Returns a piece of the owners, by their numbers.
owner_list read_postgres_owners(postgres_connection& db, const list_owners& ask);

/// Reads what an owner keeps from the rows of the conversations.
failure read_owner_holdings(postgres_connection& db, std::string_view owner, owner_holdings& out);

} // namespace troupe
