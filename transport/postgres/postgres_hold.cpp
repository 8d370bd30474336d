#include "transport/postgres/postgres_hold.hpp"

#include <thread>

#include <fmt/format.h>

namespace troupe {

namespace {

constexpr std::chrono::milliseconds hold_pause{50};

failure held_by_other(const postgres_connection& db) {
  return {errc::store_locked,
          fmt::format("another server uses the database {}; end it, or name another database",
                      db.place().shown)};
}

} // namespace

failure postgres_hold::try_once(bool& out) {
  postgres_rows rows;
  auto error = db_.ask("SELECT (($2 = 0 OR pg_try_advisory_lock(1416786022, (SELECT "
                       "(oid::bigint % 2147483647)::int FROM pg_namespace "
                       "WHERE nspname = current_schema()))) AND pg_try_advisory_lock($1))::int",
                       postgres_values{node_, alone_ ? 1 : 0}, rows);
  out = !error && rows.next() && rows.integer(0) == 1;
  return error;
}

failure postgres_hold::take(std::chrono::milliseconds longest) {
  const std::lock_guard guard{mutex_};
  db_.doing("hold the database");
  const auto until = std::chrono::steady_clock::now() + longest;
  for (bool held = false;;) {
    if (auto error = try_once(held); error || held)
      return error;
    if (std::chrono::steady_clock::now() >= until)
      return held_by_other(db_);
    std::this_thread::sleep_for(hold_pause);
  }
}

failure postgres_hold::check() {
  const std::lock_guard guard{mutex_};
  if (db_.seems_alive())
    return {};
  bool held = false;
  auto error = try_once(held);
  return error || held ? error : held_by_other(db_);
}

} // namespace troupe
