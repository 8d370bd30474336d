// The owners' rows that a writing connection knows.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "messages/store/owner_quota.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"

namespace troupe {

/// Gives owners their numbers, conversations their numbers and their places in the list, and checks
/// quotas. Remembers what was read, so that a turn that begins costs no walk over its owner's
/// conversations. A place is the time of the change, but never before that of an earlier change of
/// the same owner: so a clock that was wrong for a while leaves no conversation in front of those
/// that are changed later. Not thread safe.
class postgres_owners {
public:
  /// @param db outlives it
  postgres_owners(postgres_connection& db, const owner_quota& quota) : db_{db}, quota_{quota} {}

  const owner_quota& quota() const noexcept { return quota_; }

  /// Returns the number of an owner in `out`; gives a new owner one.
  failure number_of(std::string_view name, int64_t& out);

  /// Returns in `out` a place in front of all others of the owner. @param now_ms since 1970
  failure next_place(std::string_view name, int64_t now_ms, int64_t& out);

  /// Notes the place of a conversation that was changed last long ago.
  failure note_place(std::string_view name, int64_t place);

  /// Returns a number for a new conversation.
  failure next_key(int64_t& out);

  /// Returns quota_used_up if the owner may not keep so much more, by what stands in the database:
  /// other nodes make room, too. What they take is seen within a second, or within twenty times
  /// as long as it takes to count.
  failure check(std::string_view name, const holdings_change& more);

  /// Call it when a save has written so much more.
  void add(std::string_view name, const holdings_change& more);

  /// Call it before the changes of a transaction: what is counted while they are collected lacks
  /// those that were added since.
  void begin_changes() { ++changes_; }

  /// Call it when other code has changed what owners keep.
  void forget_holdings();
  /// Call it when a transaction was rolled back.
  void forget() { known_.clear(); }

private:
  using clock = std::chrono::steady_clock;

  struct owner_entry {
    int64_t number = 0;
    int64_t last_place = 0;
    std::optional<owner_holdings> held;
    clock::time_point counted_until{}; ///< in a cluster: from then on `held` is out of date
    uint64_t added_in = 0;             ///< the last changes_ that were added to `held`
  };

  failure find(std::string_view name, owner_entry*& out);
  failure count(std::string_view name, owner_entry& of);

  postgres_connection& db_;
  owner_quota quota_;
  std::unordered_map<std::string, owner_entry> known_; ///< by the owner's name
  uint64_t changes_ = 1;
  int64_t next_key_ = 0;
  int64_t keys_left_ = 0;
};

} // namespace troupe
