// The state beside its rows that a connection with conversations to write keeps.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "messages/errors.hpp"
#include "messages/store/owner_quota.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"

namespace troupe {

/// Reads what an owner keeps from the rows of the conversations.
failure read_holdings(sqlite_connection& db, std::string_view owner, owner_holdings& out);

/// Checks the quota of owners. Remembers what they keep, so that a turn that begins costs no walk
/// over their conversations. Without a quota it reads and remembers nothing. Not thread safe.
class owner_totals {
public:
  /// @param db outlives it
  owner_totals(sqlite_connection& db, const owner_quota& quota) : db_{db}, quota_{quota} {}

  const owner_quota& quota() const noexcept { return quota_; }

  /// Returns quota_used_up if the owner may not keep so much more; within the transaction that
  /// would write it.
  failure check(std::string_view owner, const holdings_change& more);

  /// Call it when a save has written so much more.
  void add(std::string_view owner, const holdings_change& more);

  /// Call it when other code has changed what owners keep.
  void forget() noexcept { held_.clear(); }

private:
  void enter();

  sqlite_connection& db_;
  owner_quota quota_;
  std::unordered_map<std::string, owner_holdings> held_; ///< by the owner's name
  uint64_t epoch_ = 0;                                   ///< sqlite_connection::epoch
};

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
