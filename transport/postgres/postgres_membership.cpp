#include "transport/postgres/postgres_membership.hpp"

#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "messages/chat/session_id.hpp"
#include "transport/postgres/connection/postgres_target.hpp"
#include "transport/postgres/postgres_nodes.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds join_pause{100};
constexpr int lock_tries = 3;
constexpr milliseconds lock_pause{5};
/// Beyond a lease: for the last beat of an earlier start of the node.
constexpr milliseconds join_reserve{1000};

bytes_list names_of(const wanted_servers& want) {
  bytes_list out;
  for (const auto& each : want.servers)
    out.add(each);
  return out;
}

failure look(postgres_connection& db, uint64_t me, const wanted_servers& want, held_servers& out) {
  out = {};
  db.add("SELECT s.server, s.node, n.name, n.address FROM single_servers s "
         "JOIN nodes n ON n.incarnation = s.node AND n.state <> 2 "
         "WHERE s.server = ANY($1::bytea[])",
         postgres_values{names_of(want)});
  db.add("SELECT count(*) FROM nodes n WHERE n.incarnation <> $1 AND n.state = 0 "
         "AND n.lease_until > clock_timestamp()",
         postgres_values{me});
  std::vector<postgres_rows> rows;
  if (auto error = db.run(&rows))
    return error;
  auto& held = rows[rows.size() - 2];
  while (held.next())
    out.servers.push_back({held.text(0), held.natural(1), held.text(2), held.text(3)});
  out.others_serve = rows.back().next() && rows.back().integer(0) > 0;
  return {};
}

/// One node after the other, so that each sees what those before it took. Waits for the disk: what
/// a crash of the database forgot, another node would take.
failure take(postgres_connection& db, uint64_t me, const wanted_servers& want) {
  db.begin();
  db.add("SET LOCAL synchronous_commit = on");
  db.add("SELECT pg_advisory_xact_lock(1416786025)");
  db.add("INSERT INTO single_servers(server, node) SELECT u.server, $2 "
         "FROM unnest($1::bytea[]) AS u(server) WHERE EXISTS (SELECT 1 FROM nodes n "
         "WHERE n.incarnation = $2 AND n.state <> 2 AND n.lease_until > clock_timestamp()) "
         "ON CONFLICT(server) DO UPDATE SET node = EXCLUDED.node WHERE NOT EXISTS (SELECT 1 "
         "FROM nodes n WHERE n.incarnation = single_servers.node AND n.state <> 2)",
         postgres_values{names_of(want), me});
  auto error = db.commit();
  if (error)
    db.roll_back();
  return error;
}

} // namespace

uint64_t make_incarnation() {
  std::random_device source;
  return std::uniform_int_distribution<uint64_t>{1, INT64_MAX}(source);
}

postgres_membership::postgres_membership(postgres_place at, node_card card, postgres_self self)
    : db_{std::move(at)}, card_{std::move(card)}, self_{std::move(self)} {
  db_.holds_locks();
}

// -- joining --------------------------------------------------------------------------------------

failure postgres_membership::join() {
  db_.doing("join the cluster");
  const auto until = std::chrono::steady_clock::now() + card_.cluster.lease + join_reserve;
  for (;;) {
    auto error = try_join(self_.lease->incarnation());
    if (!error)
      sweep_earlier();
    if (error.code != errc::store_locked || std::chrono::steady_clock::now() >= until)
      return error;
    std::this_thread::sleep_for(join_pause);
  }
}

/// Turns that an earlier start of this node has left need not wait until others find them, or until
/// this one may judge: unless the database has been away, a node of this name that is dead was this
/// one. Where it fails, the beats find them again.
void postgres_membership::sweep_earlier() {
  postgres_rows rows;
  if (db_.ask("SELECT n.incarnation FROM nodes n WHERE n.name = $1 AND n.incarnation <> $2 "
              "AND is_dead(n) AND pg_postmaster_start_time() < clock_timestamp() - "
              "$3 * interval '1 millisecond'",
              postgres_values{card_.cluster.node, self_.lease->incarnation(),
                              card_.cluster.lease.count()},
              rows))
    return;
  while (rows.next())
    for (bool more = true; more;) {
      uint64_t freed = 0;
      if (sweep(rows.natural(0), freed, more))
        return;
    }
}

/// Waits for the disk: an entry that a crash of the database takes away would cost all turns.
failure postgres_membership::try_join(uint64_t incarnation) {
  if (auto error = take_locks(incarnation))
    return error;
  const auto sent = node_lease::clock::now();
  postgres_rows rows;
  db_.begin();
  db_.add("SET LOCAL synchronous_commit = on");
  db_.add("SELECT pg_advisory_xact_lock(1416786023)"); // nodes of one name join one by one
  const auto& own = card_.cluster;
  const int drains = self_.lease->drains() ? 1 : 0; // as the row did that the others removed
  auto error = db_.ask("INSERT INTO nodes(incarnation, name, address, version, state, wanted, "
                       "running, beat, renewed, lease_until) SELECT $1, $2, $3, $4, $7, $7, 0, $5, "
                       "clock_timestamp(), clock_timestamp() + $6 * interval '1 millisecond' "
                       "WHERE NOT EXISTS (SELECT 1 FROM nodes n WHERE n.name = $2 "
                       "AND NOT is_dead(n)) RETURNING 1",
                       postgres_values{incarnation, own.node, own.advertise, card_.version,
                                       own.beat.count(), own.lease.count(), drains},
                       rows);
  const bool is_in = !error && rows.next();
  if (!error)
    error = db_.commit();
  if (error) {
    db_.roll_back();
    return error;
  }
  if (!is_in)
    return {errc::store_locked,
            fmt::format("a node '{}' runs already in {}; give cluster.node another name", own.node,
                        db_.place().shown)};
  self_.lease->become(incarnation);
  self_.lease->renewed(sent, true);
  return {};
}

/// The lock of the node may be held for a moment by a connection that the server believes in still,
/// or by who judges about it.
failure postgres_membership::take_locks(uint64_t incarnation) {
  if (auto error = db_.connect())
    return error;
  db_.let_go();
  if (auto error =
          db_.execute(fmt::format("SET application_name = '{}'", postgres_node_name(incarnation))))
    return error;
  postgres_rows rows;
  for (auto left = lock_tries; left > 0; --left) {
    if (auto error =
            db_.ask("SELECT pg_try_advisory_lock_shared(1416786022, (SELECT "
                    "(oid::bigint % 2147483647)::int FROM pg_namespace "
                    "WHERE nspname = current_schema()))::int, pg_try_advisory_lock($1)::int",
                    postgres_values{incarnation}, rows))
      return error;
    rows.next();
    if (rows.integer(0) == 0 || rows.integer(1) == 1)
      break;
    std::this_thread::sleep_for(lock_pause);
  }
  if (rows.integer(0) == 0)
    return {errc::store_locked,
            fmt::format("a server that is no node of a cluster uses the database {}; end it, or "
                        "give it a section 'cluster', too",
                        db_.place().shown)};
  const bool has_lock = rows.integer(1) == 1;
  epoch_ = has_lock ? db_.epoch() : 0; // else the next beat tries again
  return {};
}

// -- beating --------------------------------------------------------------------------------------

member_beat postgres_membership::beat(const member_news& news) {
  member_beat out;
  if (left_)
    return out;
  db_.doing("renew the lease of this node");
  out.error = db_.connect();
  if (out.error)
    return out;
  out.reconnected = db_.epoch() != epoch_;
  const auto before = self_.lease->incarnation();
  bool is_in = false;
  out.error = renew(news, out, is_in);
  if (out.error || is_in)
    return out;
  const auto next = make_incarnation();
  out.error = try_join(next);
  if (!out.error) {
    out.lost = before;
    out.reconnected = true;
  }
  return out;
}

/// One round trip: the lease, and the three nodes that follow by name. A connection that gave no
/// answer keeps the locks until the next one has renewed the lease: who has neither looks dead.
/// @param is_in set to whether the node is entered still
failure postgres_membership::renew(const member_news& news, member_beat& out, bool& is_in) {
  const auto sent = node_lease::clock::now();
  const auto me = self_.lease->incarnation();
  const auto& lease = *self_.lease;
  const bool may_judge = // a node that was stopped has a gap that it has not noted yet
      lease.is_steady() && lease.silence() < lease.duration() && !out.reconnected;
  db_.add(
      "UPDATE nodes SET renewed = clock_timestamp(), lease_until = clock_timestamp() + "
      "$2 * interval '1 millisecond', state = greatest($3, wanted), running = $4 "
      "WHERE incarnation = $1 AND state <> 2 RETURNING wanted",
      postgres_values{me, card_.cluster.lease.count(), static_cast<int>(news.state), news.running});
  db_.add("SELECT (t.it).incarnation, (t.it).name, (t.it).address, (t.it).version, 2::bigint, "
          "(extract(epoch FROM (t.it).lease_until - clock_timestamp()) * 1000)::bigint, "
          "(extract(epoch FROM clock_timestamp() - (t.it).renewed) * 1000)::bigint, "
          "(t.it).running FROM ((SELECT n AS it FROM nodes n WHERE (n.name, n.incarnation) > "
          "($2, $1) ORDER BY n.name, n.incarnation LIMIT 3) UNION ALL (SELECT n FROM nodes n "
          "WHERE (n.name, n.incarnation) < ($2, $1) ORDER BY n.name, n.incarnation LIMIT 3) "
          "LIMIT 3) t WHERE $3 = 1 AND is_dead(t.it)",
          postgres_values{me, card_.cluster.node, may_judge ? 1 : 0});
  std::vector<postgres_rows> rows;
  if (auto error = db_.run(&rows))
    return error;
  auto& mine = rows[rows.size() - 2];
  is_in = mine.next();
  if (!is_in)
    return {};
  out.is_to_drain = mine.integer(0) != 0;
  self_.lease->drain(out.is_to_drain);
  out.reconnected = db_.epoch() != epoch_; // also while it was asked
  self_.lease->renewed(sent, out.reconnected);
  if (out.reconnected)
    return take_locks(me);
  out.dead = read_node_rows(rows.back());
  return {};
}

// -- the dead -------------------------------------------------------------------------------------

failure postgres_membership::sweep(uint64_t incarnation, uint64_t& freed, bool& more) {
  db_.doing("free the turns of a dead node");
  swept_turns swept;
  auto error = sweep_piece(db_, incarnation, card_.now_ms(), swept);
  freed = swept.count;
  more = !error && swept.more;
  self_.counts->swept += freed;
  return error;
}

node_list postgres_membership::nodes() {
  db_.doing("list the nodes");
  return read_nodes(db_, self_.lease->incarnation());
}

failure postgres_membership::claimed(std::vector<claimed_chat>& out) {
  db_.doing("look what this node runs");
  out.clear();
  postgres_rows rows;
  auto error = db_.ask("SELECT o.name, c.name, c.epoch FROM turns t "
                       "JOIN conversations c ON c.id = t.conversation "
                       "JOIN owners o ON o.id = c.owner "
                       "WHERE t.state = 0 AND t.node = $1 AND c.node = $1",
                       postgres_values{self_.lease->incarnation()}, rows);
  while (!error && rows.next())
    out.push_back({scoped_id(rows.view(0), rows.view(1)), rows.natural(2)});
  return error;
}

failure postgres_membership::give_back(const claimed_chat& chat) {
  db_.doing("give a chat back");
  postgres_chat row;
  if (auto error = find_chat(db_, chat.session_id, row))
    return error;
  if (row.key == 0)
    return {};
  uint64_t count = 0;
  auto error = interrupt_turns(db_, {self_.lease->incarnation(), row.key, chat.epoch},
                               card_.now_ms(), count);
  self_.counts->given_back += count;
  return error;
}

failure postgres_membership::hold(const wanted_servers& want, held_servers& out) {
  db_.doing("look which nodes have MCP servers");
  return hold_servers(db_, self_.lease->incarnation(), want, out);
}

failure postgres_membership::release(const std::string& server) {
  db_.doing("give an MCP server back");
  return release_server(db_, self_.lease->incarnation(), server);
}

failure postgres_membership::leave() {
  db_.doing("leave the cluster");
  left_ = true;
  db_.add("DELETE FROM nodes WHERE incarnation = $1", postgres_values{self_.lease->incarnation()});
  return db_.run();
}

// -- servers of which there is one ---------------------------------------------------------------

failure hold_servers(postgres_connection& db, uint64_t me, const wanted_servers& want,
                     held_servers& out) {
  auto error = look(db, me, want, out);
  if (error || out.servers.size() >= want.servers.size() || (want.drains && out.others_serve))
    return error;
  if (error = take(db, me, want); error)
    return error;
  return look(db, me, want, out);
}

failure release_server(postgres_connection& db, uint64_t me, const std::string& server) {
  db.add("DELETE FROM single_servers WHERE server = $1 AND node = $2", postgres_values{server, me});
  return db.run();
}

} // namespace troupe
