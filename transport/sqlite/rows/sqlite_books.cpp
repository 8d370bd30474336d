#include "transport/sqlite/rows/sqlite_books.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "transport/sqlite/database/sqlite_query.hpp"

namespace troupe {

namespace {

constexpr size_t most_remembered = 4096;

} // namespace

failure read_holdings(sqlite_connection& db, std::string_view owner, owner_holdings& out) {
  sqlite_query row{db,
                   "SELECT count(*), sum(c.bytes) FROM owners o JOIN conversations c "
                   "ON c.owner = o.id WHERE o.name = ?1",
                   owner};
  out = {};
  if (row.next())
    out = {row.natural(0), row.natural(1)};
  return row.error();
}

/// The remembered totals may be wrong after a transaction that was rolled back, or a write of
/// another connection.
void owner_totals::enter() {
  const auto epoch = db_.epoch();
  if (std::exchange(epoch_, epoch) != epoch || held_.size() >= most_remembered)
    held_.clear();
}

failure owner_totals::check(std::string_view owner, const holdings_change& more) {
  if (!quota_.any())
    return {};
  enter();
  auto [held, is_new] = held_.try_emplace(std::string{owner});
  if (is_new)
    if (auto error = read_holdings(db_, owner, held->second)) {
      held_.erase(held);
      return error;
    }
  return quota_fault(quota_, held->second, more);
}

void owner_totals::add(std::string_view owner, const holdings_change& more) {
  if (!quota_.any())
    return;
  enter();
  const auto held = held_.find(std::string{owner});
  if (held == held_.end())
    return;
  held->second.conversations += static_cast<uint64_t>(more.conversations);
  held->second.bytes += static_cast<uint64_t>(more.bytes);
}

// -- the order ------------------------------------------------------------------------------------

failure change_order::look() {
  if (last_ >= 0)
    return {};
  sqlite_query highest{db_, "SELECT max(place) FROM conversations"};
  const auto found = highest.next() ? highest.integer(0) : 0;
  if (auto error = highest.error())
    return error;
  last_ = found;
  return {};
}

failure change_order::next(int64_t now_ms, int64_t& out) {
  if (auto error = look())
    return error;
  last_ = out = now_ms >= last_ || last_ == INT64_MAX ? now_ms : last_ + 1;
  return {};
}

failure change_order::place_of(int64_t time_ms, int64_t now_ms, int64_t& out) {
  if (auto error = look())
    return error;
  if (time_ms >= now_ms)
    return next(now_ms, out);
  out = time_ms;
  last_ = std::max(last_, out);
  return {};
}

failure change_order::note(int64_t place) {
  auto error = look();
  if (!error)
    last_ = std::max(last_, place);
  return error;
}

} // namespace troupe
