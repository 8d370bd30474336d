#include "transport/postgres/postgres_keys.hpp"

#include "transport/store/stored_rows.hpp"

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
  while (!out.error && rows.next())
    out.keys.push_back(read_key_columns(rows));
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

void usage_columns::add(int64_t of, uint64_t counted_by, const usage_row& row) {
  owner.add(of);
  node.add(counted_by);
  day.add(row.day);
  model.add(row.model);
  turns.add(row.turns);
  requests.add(row.requests);
  input.add(row.used.input_tokens);
  output.add(row.used.output_tokens);
  total.add(row.used.total_tokens);
  reasoning.add(row.used.reasoning_tokens);
  cached.add(row.used.cached_input_tokens);
}

void usage_columns::queue(postgres_connection& db) const {
  db.add("INSERT INTO usage_days AS u(owner, day, model, node, turns, requests, input, output, "
         "total, reasoning, cached) SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], "
         "$4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], "
         "$10::bigint[], $11::bigint[]) ON CONFLICT(owner, day, model, node) DO UPDATE SET "
         "turns = u.turns + EXCLUDED.turns, requests = u.requests + EXCLUDED.requests, "
         "input = u.input + EXCLUDED.input, output = u.output + EXCLUDED.output, "
         "total = u.total + EXCLUDED.total, reasoning = u.reasoning + EXCLUDED.reasoning, "
         "cached = u.cached + EXCLUDED.cached",
         postgres_values{owner, day, model, node, turns, requests, input, output, total, reasoning,
                         cached});
}

failure set_postgres_usage(postgres_connection& db, int64_t owner,
                           const std::vector<usage_row>& rows) {
  usage_columns made;
  for (const auto& row : rows)
    made.add(owner, 0, row);
  db.add("DELETE FROM usage_days u USING unnest($2::bytea[], $3::bytea[]) AS i(day, model) "
         "WHERE u.owner = $1 AND u.day = i.day AND u.model = i.model",
         postgres_values{owner, made.day, made.model});
  made.queue(db);
  return db.run();
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
    out.rows.push_back(read_usage_columns(rows));
  return out;
}

} // namespace troupe
