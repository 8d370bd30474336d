// The holdings of owners, and whether an owner may keep more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

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

} // namespace troupe
