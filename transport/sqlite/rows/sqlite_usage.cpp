#include "transport/sqlite/rows/sqlite_usage.hpp"

#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/rows/sqlite_conversations.hpp"
#include "transport/store/stored_rows.hpp"

namespace troupe {

namespace {

/// @param sql with the row in ?1 to ?10
failure put_row(sqlite_connection& db, const char* sql, int64_t owner, const usage_row& row) {
  return sqlite_query{db,
                      sql,
                      owner,
                      row.day,
                      row.model,
                      row.turns,
                      row.requests,
                      row.used.input_tokens,
                      row.used.output_tokens,
                      row.used.total_tokens,
                      row.used.reasoning_tokens,
                      row.used.cached_input_tokens}
      .run();
}

} // namespace

failure write_usage(sqlite_connection& db, usage_sums& sums) {
  failure error;
  sums.for_each([&](int64_t owner, const usage_row& row) {
    if (!error)
      error = put_row(db,
                      "INSERT INTO usage_days VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) "
                      "ON CONFLICT DO UPDATE SET turns = turns + ?4, requests = requests + ?5, "
                      "input = input + ?6, output = output + ?7, total = total + ?8, "
                      "reasoning = reasoning + ?9, cached = cached + ?10",
                      owner, row);
  });
  if (!error)
    sums.clear();
  return error;
}

failure set_usage(sqlite_connection& db, const owner_usage& what) {
  int64_t owner = 0;
  auto error = need_owner(db, what.owner, owner);
  for (const auto& row : what.rows)
    if (!error)
      error = put_row(db,
                      "INSERT OR REPLACE INTO usage_days "
                      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                      owner, row);
  return error;
}

usage_table read_usage(sqlite_connection& db, const usage_query& ask) {
  usage_table out;
  int64_t owner = 0;
  out.error = find_owner(db, ask.owner, owner);
  if (out.error)
    return out;
  sqlite_query rows{db,
                    "SELECT day, model, turns, requests, input, output, total, reasoning, cached "
                    "FROM usage_days WHERE owner = ?1 AND day >= ?2 AND (?3 = '' OR day <= ?3) "
                    "ORDER BY day, model",
                    owner, ask.from, ask.to};
  while (rows.next())
    out.rows.push_back(read_usage_columns(rows));
  out.error = rows.error();
  return out;
}

} // namespace troupe
