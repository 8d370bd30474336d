// Changes of conversations that do not come from their sessions.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_set>

#include "messages/store/store_port.hpp"
#include "transport/sqlite/rows/sqlite_books.hpp"
#include "transport/sqlite/sqlite_saves.hpp"

namespace troupe {

/// The changes that a connection makes. Outlives those that it stages.
struct sqlite_changes {
  sqlite_books& books;
  sqlite_saver& saver;
  std::unordered_set<int64_t> unseen = {}; ///< keys of rows that are being filled

  /// Changes a conversation within the running transaction; a refused change has written nothing.
  /// @param out its new state; after a branch, the copy's
  failure apply(const change_conversation& ask, int64_t now_ms, conversation_info& out) const;

  /// Returns whether a change takes more than one piece. @param out set if it can be known
  failure is_long(const change_conversation& ask, bool& out) const;

  /// Begins a change that takes more than one piece, each in a transaction of its own.
  std::unique_ptr<staged_change> stage(change_conversation&& ask, int64_t now_ms);

  /// Clears away a piece of what was hidden, cut off or given up; not within a transaction.
  /// @param more set to whether there may be more
  failure clear(bool& more) const;
};

} // namespace troupe
