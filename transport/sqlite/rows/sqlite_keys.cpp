#include "transport/sqlite/rows/sqlite_keys.hpp"

#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/store/stored_rows.hpp"

namespace troupe {

setting_list read_settings(sqlite_connection& db, const list_settings& ask) {
  setting_list out;
  sqlite_query rows{db,
                    "SELECT key, value FROM settings "
                    "WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key",
                    ask.prefix};
  while (rows.next())
    out.settings.push_back({rows.text(0), rows.text(1)});
  out.error = rows.error();
  return out;
}

failure write_setting(sqlite_connection& db, const setting& value) {
  if (value.value.empty())
    return sqlite_query{db, "DELETE FROM settings WHERE key = ?1", value.key}.run();
  return sqlite_query{db,
                      "INSERT INTO settings VALUES(?1, ?2) "
                      "ON CONFLICT DO UPDATE SET value = ?2",
                      value.key, value.value}
      .run();
}

key_list read_keys(sqlite_connection& db, const list_keys& ask) {
  key_list out;
  sqlite_query rows{db,
                    "SELECT id, owner, name, hash, admin, requests_per_minute, concurrent_turns, "
                    "created, revoked FROM keys WHERE revoked = 0 OR ?1 ORDER BY created, id",
                    ask.revoked_too};
  while (rows.next())
    out.keys.push_back(read_key_columns(rows));
  out.error = rows.error();
  return out;
}

failure write_key(sqlite_connection& db, const api_key& key) {
  sqlite_query row{db,
                   "INSERT OR REPLACE INTO keys VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                   key.id,
                   key.owner,
                   key.name,
                   key.hash,
                   key.admin,
                   key.requests_per_minute,
                   key.concurrent_turns,
                   key.created_ms,
                   key.revoked_ms};
  if (auto error = row.run())
    return error;
  return sqlite_query{db, "UPDATE counters SET value = value + 1 WHERE name = 'keys'"}.run();
}

uint64_t count_key_changes(sqlite_connection& db) {
  sqlite_query count{db, "SELECT value FROM counters WHERE name = 'keys'"};
  return count.next() ? count.natural(0) : 0;
}

} // namespace troupe
