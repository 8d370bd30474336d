// Saving and loading the chats of sessions.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "messages/store/conversation_messages.hpp"
#include "messages/store/store_messages.hpp"
#include "transport/sqlite/rows/known_chats.hpp"
#include "transport/sqlite/rows/sqlite_books.hpp"
#include "transport/sqlite/rows/sqlite_usage.hpp"

namespace troupe {

/// Writes the saves of sessions. Remembers the rows of the chats that it loads and writes, and sums
/// up the usage of turns until the transaction ends.
class sqlite_saver {
public:
  /// @param books outlive it
  explicit sqlite_saver(sqlite_books& books) : db_{books.db}, books_{books} {}

  /// Returns the record of a chat; version 0 if there is none.
  chat_record load(const load_chat& ask);

  /// Returns the record of a chat that is not there, and in `exists` whether it is there.
  chat_record look(const load_chat& ask, bool& exists);

  /// Writes a save within the running transaction; a refused save has written nothing.
  /// @param version the conversation's new version
  failure save(const save_chat& ask, int64_t now_ms, uint64_t& version);

  /// Writes the sums; call it before the transaction is committed.
  failure finish() { return write_usage(db_, sums_); }

  /// Call it when the transaction was rolled back.
  void drop() { sums_.clear(); }

  /// Call it when other code has changed the chat.
  void forget(const std::string& session_id) { chats_.forget(session_id); }
  /// Call it when other code may have changed any chats.
  void forget_all() { chats_.clear(); }

  // -- conversations that are copied while others write -------------------------------------------
  /// Returns how often messages of a conversation were cut off, counted from the first call on.
  uint64_t cuts_of(int64_t key) { return cuts_[key]; }
  /// Call it when none is copied any more.
  void forget_cuts() { cuts_.clear(); }

private:
  failure find(const std::string& session_id, known_chat*& out);
  failure check_new(int64_t key, const save_chat& ask);
  failure check_quota(const conversation_row& row, const save_chat& ask);
  failure write(known_chat& chat, const save_chat& ask, int64_t now_ms);
  failure cut(conversation_row& row, uint64_t keep);
  failure add_row(known_chat& chat, const save_chat& ask, uint64_t bytes);
  failure write_contents(known_chat& chat, const save_chat& ask, int64_t now_ms);
  failure write_turn(known_chat& chat, const save_chat& ask, int64_t now_ms);

  sqlite_connection& db_;
  sqlite_books& books_;
  known_chats chats_;
  usage_sums sums_;
  std::unordered_map<int64_t, uint64_t> cuts_; ///< of conversations that are copied
};

/// Returns a whole conversation.
conversation_answer read_conversation(sqlite_connection& db, const get_conversation& ask);

} // namespace troupe
