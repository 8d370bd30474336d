// The order in which conversations were changed.
#pragma once

#include <cstdint>

#include "messages/errors.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"

namespace troupe {

/// Gives conversations their place in the list: the time of the change, but never before the place
/// of an earlier change. So a clock that was wrong for a while leaves no conversation in front of
/// those that are changed later, and hides none behind those that were changed before. Not thread
/// safe; one per database writes.
class change_order {
public:
  /// @param db outlives it
  explicit change_order(sqlite_connection& db) : db_{db} {}

  /// Returns in `out` a place in front of all others. @param now_ms since 1970
  failure next(int64_t now_ms, int64_t& out);

  /// Returns in `out` the place of a conversation that was changed last at that time, which may be
  /// long ago. @param time_ms at most `now_ms`
  failure place_of(int64_t time_ms, int64_t now_ms, int64_t& out);

  /// Notes a place that a conversation has from another store.
  failure note(int64_t place);

private:
  failure look();

  sqlite_connection& db_;
  int64_t last_ = -1; ///< the highest place; -1: not known yet
};

} // namespace troupe
