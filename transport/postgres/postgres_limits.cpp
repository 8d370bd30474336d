#include "transport/postgres/postgres_limits.hpp"

#include <utility>

namespace troupe {

namespace {

constexpr unsigned tidy_interval = 60; ///< exchanges, of which there is one a second at most

} // namespace

failure postgres_limits::exchange(const std::vector<key_use>& mine, std::vector<key_use>& others) {
  db_.doing("tell the other nodes how much keys are used");
  others.clear();
  bytes_list keys;
  number_list taken;
  for (const auto& each : mine) {
    keys.add(each.key);
    taken.add(each.taken);
  }
  const auto me = self_.standing->incarnation();
  tidy();
  db_.add("INSERT INTO key_use(key, node, at, taken) SELECT u.key, $3, clock_timestamp(), u.taken "
          "FROM unnest($1::bytea[], $2::bigint[]) AS u(key, taken) "
          "ON CONFLICT(key, node) DO UPDATE SET at = EXCLUDED.at, taken = EXCLUDED.taken",
          postgres_values{keys, taken, me});
  postgres_rows rows;
  auto error = db_.ask("SELECT k.key, sum(k.taken)::bigint FROM key_use k "
                       "WHERE k.key = ANY($1::bytea[]) AND k.node <> $2 "
                       "AND k.at > clock_timestamp() - interval '3 seconds' GROUP BY k.key",
                       postgres_values{keys, me}, rows);
  while (!error && rows.next())
    others.push_back({rows.text(0), rows.natural(1)});
  return error;
}

/// One node after the other, by a lock of the owner. Both statements are sent at once and are one
/// transaction, so that the server never waits for this process while it has the lock.
failure postgres_limits::take_place_of(const take_place& want, bool& taken) {
  db_.doing("look whether an owner may have one more turn");
  db_.add("SELECT pg_advisory_xact_lock(1416786024, hashtext(encode($1, 'hex')))",
          postgres_values{want.owner});
  postgres_rows rows;
  auto error = db_.ask(
      "INSERT INTO owner_turns(owner, node, running) SELECT $1, $2, $3 "
      "WHERE $3 + (SELECT coalesce(sum(t.running), 0) FROM owner_turns t "
      "JOIN nodes n ON n.incarnation = t.node AND n.state <> 2 "
      "AND n.lease_until > clock_timestamp() WHERE t.owner = $1 AND t.node <> $2) <= $4 "
      "ON CONFLICT(owner, node) DO UPDATE SET running = EXCLUDED.running RETURNING 1",
      postgres_values{want.owner, self_.standing->incarnation(), want.running, want.most}, rows);
  taken = !error && rows.next();
  return error;
}

failure postgres_limits::put(const owner_turns& now) {
  db_.doing("tell the other nodes how many turns run");
  db_.add("INSERT INTO owner_turns(owner, node, running) VALUES ($1, $2, $3) "
          "ON CONFLICT(owner, node) DO UPDATE SET running = EXCLUDED.running",
          postgres_values{now.owner, self_.standing->incarnation(), now.running});
  return db_.run();
}

failure postgres_limits::clear_places() {
  db_.doing("tell the other nodes that no turns run");
  db_.add("DELETE FROM owner_turns WHERE node = $1",
          postgres_values{self_.standing->incarnation()});
  return db_.run();
}

/// Rows of keys and of nodes that are not used any more.
void postgres_limits::tidy() {
  if (until_tidy_-- > 0)
    return;
  until_tidy_ = tidy_interval;
  db_.add("DELETE FROM key_use WHERE at < clock_timestamp() - interval '1 minute'");
  db_.add("DELETE FROM owner_turns t WHERE t.running = 0 OR NOT EXISTS "
          "(SELECT 1 FROM nodes n WHERE n.incarnation = t.node)");
}

} // namespace troupe
