#include "transport/postgres/postgres_servers.hpp"

#include <utility>
#include <vector>

namespace troupe {

namespace {

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
