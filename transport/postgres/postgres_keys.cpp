#include "transport/postgres/postgres_keys.hpp"

namespace troupe {

setting_list read_postgres_settings(postgres_connection& db, const list_settings& ask) {
  setting_list out;
  postgres_rows rows;
  out.error = db.ask("SELECT key, value FROM settings "
                     "WHERE substring(key FROM 1 FOR octet_length($1)) = $1 ORDER BY key",
                     postgres_values{ask.prefix}, rows);
  while (!out.error && rows.next())
    out.settings.push_back({rows.text(0), rows.text(1)});
  return out;
}

failure write_postgres_setting(postgres_connection& db, const setting& value) {
  if (value.value.empty())
    db.add("DELETE FROM settings WHERE key = $1", postgres_values{value.key});
  else
    db.add("INSERT INTO settings(key, value) VALUES ($1, $2) "
           "ON CONFLICT(key) DO UPDATE SET value = EXCLUDED.value",
           postgres_values{value.key, value.value});
  return db.run();
}

key_list read_postgres_keys(postgres_connection& db, const list_keys& ask) {
  key_list out;
  postgres_rows rows;
  out.error =
      db.ask("SELECT id, owner, name, hash, admin, requests_per_minute, concurrent_turns, created, "
             "revoked FROM keys WHERE revoked = 0 OR $1 = 1 ORDER BY created, id",
             postgres_values{ask.revoked_too ? 1 : 0}, rows);
  while (!out.error && rows.next()) {
    auto& key = out.keys.emplace_back();
    key.id = rows.view(0);
    key.owner = rows.view(1);
    key.name = rows.view(2);
    key.hash = rows.view(3);
    key.admin = rows.integer(4) != 0;
    key.requests_per_minute = static_cast<uint32_t>(rows.integer(5));
    key.concurrent_turns = static_cast<uint32_t>(rows.integer(6));
    key.created_ms = rows.integer(7);
    key.revoked_ms = rows.integer(8);
  }
  return out;
}

failure write_postgres_key(postgres_connection& db, const api_key& key) {
  db.add("INSERT INTO keys(id, owner, name, hash, admin, requests_per_minute, concurrent_turns, "
         "created, revoked) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) "
         "ON CONFLICT(id) DO UPDATE SET owner = EXCLUDED.owner, name = EXCLUDED.name, "
         "hash = EXCLUDED.hash, admin = EXCLUDED.admin, "
         "requests_per_minute = EXCLUDED.requests_per_minute, "
         "concurrent_turns = EXCLUDED.concurrent_turns, created = EXCLUDED.created, "
         "revoked = EXCLUDED.revoked",
         postgres_values{key.id, key.owner, key.name, key.hash, key.admin ? 1 : 0,
                         key.requests_per_minute, key.concurrent_turns, key.created_ms,
                         key.revoked_ms});
  db.add("UPDATE counters SET value = value + 1 WHERE name = 'keys'");
  return db.run();
}

uint64_t count_postgres_key_changes(postgres_connection& db) {
  postgres_rows rows;
  const auto error = db.ask("SELECT value FROM counters WHERE name = 'keys'", {}, rows);
  return !error && rows.next() ? rows.natural(0) : 0;
}

usage_table read_postgres_usage(postgres_connection& db, const usage_query& ask) {
  usage_table out;
  postgres_rows rows;
  out.error =
      db.ask("SELECT day, model, sum(turns)::bigint, sum(requests)::bigint, "
             "sum(input)::bigint, sum(output)::bigint, sum(total)::bigint, "
             "sum(reasoning)::bigint, sum(cached)::bigint FROM usage_days "
             "WHERE owner = (SELECT o.id FROM owners o WHERE o.name = $1) AND day >= $2 "
             "AND (octet_length($3) = 0 OR day <= $3) GROUP BY day, model ORDER BY day, model",
             postgres_values{ask.owner, ask.from, ask.to}, rows);
  while (!out.error && rows.next())
    out.rows.push_back(
        {rows.text(0),
         rows.text(1),
         rows.natural(2),
         rows.natural(3),
         {rows.natural(4), rows.natural(5), rows.natural(6), rows.natural(7), rows.natural(8)}});
  return out;
}

} // namespace troupe
