// The rows of the chats that a writer used last: the next save of such a chat need not read them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "transport/sqlite/rows/sqlite_conversations.hpp"

namespace troupe {

/// A chat as it is in the database.
struct known_chat {
  conversation_row row; ///< its key is 0: there is no such chat
  std::string turn_id;  ///< of the turn that was written last; empty: not known
  int64_t turn_started_ms = 0;
  bool turn_counted = false; ///< that turn is in the usage table
  bool has_turns = true;     ///< there may be rows of turns
  bool has_events = true;    ///< there may be rows of events
};

/// Remembers the chats that were used last, at least 256 and at most twice as many, of half a
/// KiB each. Not thread safe.
class known_chats {
public:
  /// Returns nullptr for an unknown chat. Valid until the next call.
  known_chat* find(const std::string& session_id);

  /// Replaces the entry of a chat and returns it. Valid until the next call.
  known_chat& add(const std::string& session_id, known_chat chat);

  void forget(const std::string& session_id);
  void clear();

  /// Starts an epoch (sqlite_connection::epoch): forgets all entries of an earlier one, which may
  /// be wrong now.
  void enter(uint64_t epoch);

private:
  using table = std::unordered_map<std::string, known_chat>;

  table young_; ///< the newer generation; entries move here when used
  table old_;
  uint64_t epoch_ = 0;
};

} // namespace troupe
