#include "transport/postgres/postgres_owners.hpp"

#include <algorithm>

#include "transport/postgres/postgres_chats.hpp"

namespace troupe {

namespace {

constexpr size_t most_known_owners = 4096;
constexpr int64_t keys_at_once = 64;           ///< the step of conversation_ids
constexpr std::chrono::seconds least_trust{1}; ///< in what was counted

} // namespace

failure postgres_owners::find(std::string_view name, owner_entry*& out) {
  const auto known = known_.find(std::string{name});
  if (known != known_.end()) {
    out = &known->second;
    return {};
  }
  postgres_rows rows;
  // The first statement does nothing for an owner that is there, the second sees what it did.
  db_.add("INSERT INTO owners(name) SELECT $1 WHERE NOT EXISTS "
          "(SELECT 1 FROM owners WHERE name = $1) ON CONFLICT DO NOTHING",
          postgres_values{name});
  auto error = db_.ask("SELECT o.id, coalesce((SELECT max(c.place) FROM conversations c "
                       "WHERE c.owner = o.id), 0) FROM owners o WHERE o.name = $1",
                       postgres_values{name}, rows);
  if (!error && !rows.next())
    error = {errc::store_failed, "an owner was not kept; try again"};
  if (error)
    return error;
  if (known_.size() >= most_known_owners)
    known_.clear();
  out = &known_[std::string{name}];
  *out = {rows.integer(0), rows.integer(1), {}};
  return {};
}

failure postgres_owners::number_of(std::string_view name, int64_t& out) {
  owner_entry* of = nullptr;
  auto error = find(name, of);
  out = error ? 0 : of->number;
  return error;
}

failure postgres_owners::next_place(std::string_view name, int64_t now_ms, int64_t& out) {
  owner_entry* of = nullptr;
  if (auto error = find(name, of))
    return error;
  auto& last = of->last_place;
  last = out = now_ms >= last || last == INT64_MAX ? now_ms : last + 1;
  return {};
}

failure postgres_owners::note_place(std::string_view name, int64_t place) {
  owner_entry* of = nullptr;
  auto error = find(name, of);
  if (!error)
    of->last_place = std::max(of->last_place, place);
  return error;
}

failure postgres_owners::next_key(int64_t& out) {
  if (keys_left_ == 0) {
    postgres_rows rows;
    // Its step is as long as what is taken at once.
    if (auto error = db_.ask("SELECT nextval('conversation_ids')", {}, rows))
      return error;
    rows.next();
    next_key_ = rows.integer(0);
    keys_left_ = keys_at_once;
  }
  --keys_left_;
  out = next_key_++;
  return {};
}

failure postgres_owners::check(std::string_view name, const holdings_change& more) {
  if (!quota_.any())
    return {};
  owner_entry* of = nullptr;
  if (auto error = find(name, of))
    return error;
  // Another node may have made room, or taken it.
  const bool may_count = db_.place().node != nullptr && of->added_in != changes_;
  bool is_fresh = !of->held || (may_count && clock::now() >= of->counted_until);
  if (is_fresh)
    if (auto error = count(name, *of))
      return error;
  auto fault = quota_fault(quota_, *of->held, more);
  if (!fault || is_fresh || !may_count)
    return fault;
  auto error = count(name, *of);
  return error ? error : quota_fault(quota_, *of->held, more);
}

failure postgres_owners::count(std::string_view name, owner_entry& of) {
  const auto began = clock::now();
  owner_holdings held;
  if (auto error = read_owner_holdings(db_, name, held))
    return error;
  of.held = held;
  const auto now = clock::now();
  of.counted_until = now + std::max<clock::duration>(least_trust, (now - began) * 20);
  return {};
}

void postgres_owners::add(std::string_view name, const holdings_change& more) {
  const auto of = known_.find(std::string{name});
  if (of == known_.end() || !of->second.held)
    return;
  of->second.added_in = changes_;
  of->second.held->conversations += static_cast<uint64_t>(more.conversations);
  of->second.held->bytes += static_cast<uint64_t>(more.bytes);
}

void postgres_owners::forget_holdings() {
  for (auto& [name, entry] : known_)
    entry.held.reset();
}

} // namespace troupe
