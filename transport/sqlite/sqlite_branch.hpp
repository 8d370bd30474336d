// A branch, piece by piece.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include "messages/store/conversation_change.hpp"
#include "transport/sqlite/rows/sqlite_books.hpp"
#include "transport/sqlite/rows/sqlite_conversations.hpp"

namespace troupe {

/// Copies messages and turns of a conversation under a row that nobody sees, and shows it at last.
class sqlite_branch {
public:
  /// @param books, ask outlive it
  sqlite_branch(sqlite_books& books, const change_conversation& ask, int64_t now_ms)
      : books_{books}, ask_{ask}, now_ms_{now_ms} {}

  /// Does a piece within the running transaction. A refusal of the first piece has written nothing.
  /// @param more set to whether pieces are left @param out set with the last piece
  /// @return conversation_changed too: the messages were cut off or removed meanwhile
  failure piece(bool& more, conversation_info& out);

  /// Returns the key of the copy's row; 0: there is none yet.
  int64_t key() const noexcept { return made_.key; }
  /// Returns the key of the conversation that is copied; 0: it was not looked for yet.
  int64_t source() const noexcept { return from_.key; }
  /// Call it when messages of the source were cut off.
  void source_was_cut() noexcept { cut_ = true; }
  /// Returns quota_used_up if the owner may not keep it, or not any more: others may have written
  /// since the last piece.
  failure check_quota();

private:
  failure begin();
  failure check_target() const;
  failure check_source();
  failure estimate();
  failure copy_messages(uint64_t& done);
  failure copy_turns(bool& more);
  failure finish(conversation_info& out);

  sqlite_books& books_;
  const change_conversation& ask_;
  int64_t now_ms_;
  conversation_row from_;
  conversation_row made_;
  uint64_t count_ = 0; ///< messages to copy
  uint64_t bytes_ = 0; ///< at least so many will be kept; known if there is a quota
  bool has_turns_ = false;
  bool cut_ = false;
  std::string last_turn_;                       ///< the id of the turn that was looked at last
  std::unordered_set<std::string> silent_ids_;  ///< of answers that a copied message shows, as JSON
  std::unordered_set<std::string> message_ids_; ///< of the copied messages, if there are turns
};

} // namespace troupe
