// The state beside its rows that a connection with conversations to write keeps.
#pragma once

#include "transport/sqlite/rows/change_order.hpp"
#include "transport/sqlite/rows/owner_totals.hpp"

namespace troupe {

/// The books that all writes of conversations keep. Not thread safe.
struct sqlite_books {
  /// @param on outlives it
  sqlite_books(sqlite_connection& on, const owner_quota& quota)
      : db{on}, totals{on, quota}, order{on} {}

  sqlite_connection& db;
  owner_totals totals;
  change_order order;
};

} // namespace troupe
