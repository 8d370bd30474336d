// An import, piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>

#include "messages/store/conversation_change.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"
#include "transport/sqlite/sqlite_conversations.hpp"

namespace troupe {

/// Adds the messages and turns of a file under a row that nobody sees, and shows it at last.
class sqlite_import {
public:
  /// @param db, ask outlive it
  sqlite_import(sqlite_connection& db, const change_conversation& ask, int64_t now_ms)
      : db_{db}, ask_{ask}, now_ms_{now_ms} {}

  /// Does a piece within the running transaction. A refusal of the first piece has written nothing.
  /// @param more set to whether pieces are left @param out set with the last piece
  failure piece(bool& more, conversation_info& out);

  /// Returns the key of the row; 0: there is none yet.
  int64_t key() const noexcept { return row_.key; }
  /// Returns how many messages have been added; they are not read again.
  size_t messages_done() const noexcept { return message_; }

private:
  failure begin();
  failure add_messages();
  failure add_turns();
  failure finish(conversation_info& out);

  sqlite_connection& db_;
  const change_conversation& ask_;
  int64_t now_ms_;
  conversation_row row_;
  size_t message_ = 0; ///< the next one
  size_t turn_ = 0;    ///< the next one
};

} // namespace troupe
