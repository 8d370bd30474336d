// A branch, piece by piece.
#pragma once

#include <cstdint>
#include <string>

#include "messages/store/conversation_change.hpp"
#include "transport/postgres/postgres_chats.hpp"
#include "transport/postgres/postgres_owners.hpp"

namespace troupe {

/// Copies messages and turns of a conversation, and at last adds the row that they belong to; all
/// in one transaction, which the caller begins and ends. In `transaction` it sees one state of the
/// source, whatever others write meanwhile.
class postgres_branch {
public:
  static constexpr const char* transaction = "BEGIN ISOLATION LEVEL REPEATABLE READ";

  /// @param db, owners, ask outlive it
  postgres_branch(postgres_connection& db, postgres_owners& owners, const change_conversation& ask,
                  int64_t now_ms)
      : db_{db}, owners_{owners}, ask_{ask}, now_ms_{now_ms} {}

  /// Does a piece. @param more set to whether pieces are left @param out set with the last piece
  failure piece(bool& more, conversation_info& out);

private:
  failure begin();
  failure count_messages();
  failure copy_messages();
  failure copy_turns();
  failure finish(conversation_info& out);

  postgres_connection& db_;
  postgres_owners& owners_;
  const change_conversation& ask_;
  int64_t now_ms_;
  postgres_chat from_;
  postgres_chat made_;
  uint64_t count_ = 0; ///< messages to copy
};

} // namespace troupe
