// An import, piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>

#include "messages/store/conversation_change.hpp"
#include "transport/sqlite/rows/sqlite_books.hpp"
#include "transport/sqlite/rows/sqlite_conversations.hpp"
#include "transport/store/imported.hpp"

namespace troupe {

/// Adds the messages and turns of a file under a row that nobody sees, and shows it at last.
class sqlite_import {
public:
  /// @param books, ask outlive it
  sqlite_import(sqlite_books& books, const change_conversation& ask, int64_t now_ms)
      : books_{books}, ask_{ask}, intake_{ask, now_ms}, now_ms_{now_ms} {}

  /// Does a piece within the running transaction. A refusal of the first piece has written nothing.
  /// @param more set to whether pieces are left @param out set with the last piece
  failure piece(bool& more, conversation_info& out);

  /// Returns the key of the row; 0: there is none yet.
  int64_t key() const noexcept { return row_.key; }
  /// Returns how many messages have been added; they are not read again.
  size_t messages_done() const noexcept { return message_; }
  /// Returns quota_used_up if the owner may not keep it, or not any more: others may have written
  /// since the last piece.
  failure check_quota();

private:
  failure begin();
  failure add_messages();
  failure add_turns();
  failure finish(conversation_info& out);

  sqlite_books& books_;
  const change_conversation& ask_;
  intake intake_;
  int64_t now_ms_;
  conversation_row row_;
  size_t message_ = 0; ///< the next one
  size_t turn_ = 0;    ///< the next one
  uint64_t bytes_ = 0; ///< of the whole; known if there is a quota
};

} // namespace troupe
