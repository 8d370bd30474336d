// Long changes in transactions of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_set>

#include "messages/store/store_port.hpp"
#include "transport/sqlite/rows/sqlite_books.hpp"
#include "transport/sqlite/sqlite_saves.hpp"

namespace troupe {

/// The state that a connection shares with its staged changes; outlives them.
struct sqlite_stages {
  sqlite_books& books;
  sqlite_saver& saver;
  std::unordered_set<int64_t> unseen = {}; ///< keys of rows that are being filled

  /// Returns whether a change takes more than one piece. @param out set if it can be known
  failure is_long(const change_conversation& ask, bool& out) const;

  /// Begins a change that takes more than one piece.
  std::unique_ptr<staged_change> begin(change_conversation&& ask, int64_t now_ms);

  /// Clears away a piece of what was hidden, cut off or given up; not within a transaction.
  /// @param more set to whether there may be more
  failure clear(bool& more) const;
};

} // namespace troupe
