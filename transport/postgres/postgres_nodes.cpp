#include "transport/postgres/postgres_nodes.hpp"

#include <limits>

#include "transport/postgres/connection/postgres_target.hpp"

namespace troupe {

namespace {

/// Turns that are interrupted at a time.
constexpr int64_t piece_of_turns = 500;

} // namespace

std::vector<cluster_node> read_node_rows(postgres_rows& rows) {
  std::vector<cluster_node> out;
  while (rows.next())
    out.push_back({rows.natural(0), rows.text(1), rows.text(2), rows.text(3),
                   static_cast<cluster_state>(rows.integer(4)), rows.integer(5), rows.integer(6),
                   static_cast<uint32_t>(rows.natural(7))});
  return out;
}

/// The own lock is no sign of death for its own connection, which can have it twice.
node_list read_nodes(postgres_connection& db, uint64_t self) {
  node_list out;
  postgres_rows rows;
  out.error = db.ask("SELECT n.incarnation, n.name, n.address, n.version, "
                     "CASE WHEN (n.incarnation <> $1 OR n.lease_until < clock_timestamp()) "
                     "AND is_dead(n) THEN 2 ELSE n.state END, "
                     "(extract(epoch FROM n.lease_until - clock_timestamp()) * 1000)::bigint, "
                     "(extract(epoch FROM clock_timestamp() - n.renewed) * 1000)::bigint, "
                     "n.running FROM nodes n ORDER BY n.name, n.incarnation",
                     postgres_values{self}, rows);
  if (!out.error)
    out.nodes = read_node_rows(rows);
  return out;
}

failure interrupt_turns(postgres_connection& db, const doomed_turns& which, int64_t now_ms,
                        uint64_t& out) {
  constexpr int64_t all = std::numeric_limits<int64_t>::max();
  postgres_rows rows;
  auto error = db.ask(
      // Turns of a chat are found by the chat, all of a node by the node: no index serves both.
      // With `+ 0` the index of running turns is not gone through for each of them.
      "WITH running AS (SELECT t.conversation, t.turn_id, e.epoch FROM ("
      "SELECT conversation, turn_id FROM turns WHERE $2 <> 0 AND conversation = $2 "
      "AND state + 0 = 0 AND node + 0 = $1 UNION ALL "
      "SELECT conversation, turn_id FROM turns WHERE $2 = 0 AND state = 0 AND node = $1) t "
      "LEFT JOIN conversations e ON e.id = t.conversation WHERE $3 = 0 OR e.epoch = $3 "
      "ORDER BY t.conversation LIMIT $4), "
      // All who free chats of a dead node take the rows in one order: else they wait for each
      // other.
      "held AS (SELECT c.id FROM conversations c WHERE c.id IN (SELECT r.conversation "
      "FROM running r UNION SELECT $2) ORDER BY c.id FOR UPDATE), "
      "doomed AS (SELECT r.* FROM running r WHERE r.epoch IS NULL "
      "OR r.conversation IN (SELECT h.id FROM held h)), "
      "found AS (SELECT conversation, epoch FROM doomed UNION SELECT c.id, c.epoch "
      "FROM conversations c WHERE c.id = $2 AND c.node = $1 AND ($3 = 0 OR c.epoch = $3)), "
      // The epoch: who waited for the row while somebody else freed the chat must not do it again.
      "freed AS (UPDATE conversations c SET version = c.version + 1, epoch = c.epoch + 1, "
      "node = 0 FROM found s WHERE c.id = s.conversation AND c.epoch = s.epoch "
      "AND c.node IN (0, $1) RETURNING c.id), "
      "done AS (UPDATE turns t SET state = 4, error = $5, error_text = '', ended = $6 "
      "FROM doomed s WHERE t.conversation = s.conversation AND t.turn_id = s.turn_id "
      "AND t.state + 0 = 0 AND t.node + 0 = $1 "
      "AND ($3 = 0 OR t.conversation IN (SELECT f.id FROM freed f)) RETURNING 1) SELECT count(*) "
      "FROM done",
      postgres_values{which.node, which.chat, which.epoch, which.most == 0 ? all : which.most,
                      to_string(errc::server_restarted), now_ms},
      rows);
  out += !error && rows.next() ? rows.natural(0) : 0;
  return error;
}

failure is_dead_node(postgres_connection& db, const node_lease& self, uint64_t node, bool& out) {
  postgres_rows rows;
  auto error = db.ask("SELECT CASE WHEN n.incarnation IS NULL "
                      "THEN pg_try_advisory_xact_lock_shared($1)::int "
                      "WHEN $2 = 0 THEN 0 ELSE is_dead(n)::int END "
                      "FROM (SELECT 1) one LEFT JOIN nodes n ON n.incarnation = $1",
                      postgres_values{node, self.may_judge() ? 1 : 0}, rows);
  out = !error && rows.next() && rows.integer(0) == 1;
  return error;
}

void queue_burial(postgres_connection& db, uint64_t node) {
  db.add("UPDATE nodes n SET state = 2 WHERE n.incarnation = $1 AND n.state <> 2 AND is_dead(n)",
         postgres_values{node});
  db.add("SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a "
         "WHERE a.application_name = convert_from($2, 'UTF8') AND a.pid <> pg_backend_pid() "
         "AND a.datname = current_database() "
         "AND EXISTS (SELECT 1 FROM nodes n WHERE n.incarnation = $1 AND n.state = 2)",
         postgres_values{node, postgres_node_name(node)});
}

failure sweep_piece(postgres_connection& db, uint64_t node, int64_t now_ms, swept_turns& out) {
  out.more = false;
  queue_burial(db, node);
  postgres_rows rows;
  if (auto error = db.ask("SELECT count(*) FROM nodes WHERE incarnation = $1 AND state = 2",
                          postgres_values{node}, rows))
    return error;
  if (!rows.next() || rows.integer(0) == 0)
    return {}; // it lives, or somebody else has swept it
  uint64_t count = 0;
  if (auto error = interrupt_turns(db, {node, 0, 0, piece_of_turns}, now_ms, count))
    return error;
  out.count += count;
  out.more = count == static_cast<uint64_t>(piece_of_turns);
  if (out.more)
    return {};
  // Fewer than a piece may only mean that somebody else has just interrupted the same ones.
  db.add("DELETE FROM nodes WHERE incarnation = $1 AND state = 2 "
         "AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.state = 0 AND t.node = $1)",
         postgres_values{node});
  auto error = db.ask("SELECT count(*) FROM nodes WHERE incarnation = $1 AND state = 2",
                      postgres_values{node}, rows);
  out.more = !error && rows.next() && rows.integer(0) > 0;
  return error;
}

failure free_chats_of_dead(postgres_connection& db, const node_lease& self, int64_t now_ms,
                           uint64_t& out) {
  out = 0;
  postgres_rows rows;
  if (auto error = db.ask("SELECT DISTINCT node FROM turns WHERE state = 0 AND node <> $1",
                          postgres_values{self.incarnation()}, rows))
    return error;
  while (rows.next()) {
    const auto node = rows.natural(0);
    bool dead = node == 0;
    if (!dead)
      if (auto error = is_dead_node(db, self, node, dead))
        return error;
    if (!dead)
      continue;
    queue_burial(db, node);
    if (auto error = interrupt_turns(db, {node}, now_ms, out))
      return error;
  }
  return {};
}

} // namespace troupe
