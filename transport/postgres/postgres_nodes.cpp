#include "transport/postgres/postgres_nodes.hpp"

#include <algorithm>

#include "messages/chat/session_id.hpp"

namespace troupe {

namespace {

/// Interrupts the running turns of a chat or of a node. @param chat 0: of all chats of that node
failure interrupt(postgres_connection& db, uint64_t node, int64_t chat, int64_t now_ms,
                  uint64_t& out) {
  postgres_rows rows;
  db.add("UPDATE conversations SET version = version + 1, node = 0 WHERE node IN (0, $1) AND id IN "
         "(SELECT conversation FROM turns WHERE state = 0 AND node = $1 "
         "AND ($2 = 0 OR conversation = $2))",
         postgres_values{node, chat});
  auto error = db.ask("WITH done AS (UPDATE turns SET state = 4, error = $3, error_text = '', "
                      "ended = $4 WHERE state = 0 AND node = $1 AND ($2 = 0 OR conversation = $2) "
                      "RETURNING 1) SELECT count(*) FROM done",
                      postgres_values{node, chat, to_string(errc::server_restarted), now_ms}, rows);
  out += !error && rows.next() ? rows.natural(0) : 0;
  return error;
}

} // namespace

failure is_dead_node(postgres_connection& db, uint64_t node, bool& out) {
  postgres_rows rows;
  auto error =
      db.ask("SELECT pg_try_advisory_xact_lock_shared($1)::int", postgres_values{node}, rows);
  out = !error && rows.next() && rows.integer(0) == 1;
  return error;
}

failure free_chat(postgres_connection& db, const postgres_chat& row, int64_t now_ms) {
  uint64_t count = 0;
  return interrupt(db, row.fence.node, row.key, now_ms, count);
}

failure free_chats_of_dead(postgres_connection& db, uint64_t me, int64_t now_ms, uint64_t& out) {
  out = 0;
  postgres_rows rows;
  if (auto error = db.ask("SELECT DISTINCT node FROM turns WHERE state = 0 AND node <> $1",
                          postgres_values{me}, rows))
    return error;
  while (rows.next()) {
    const auto node = rows.natural(0);
    bool dead = node == 0;
    if (!dead)
      if (auto error = is_dead_node(db, node, dead))
        return error;
    if (dead)
      if (auto error = interrupt(db, node, 0, now_ms, out))
        return error;
  }
  return {};
}

} // namespace troupe
