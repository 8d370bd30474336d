#include "transport/postgres/connection/postgres_schema.hpp"

#include <array>

#include <fmt/format.h>

namespace troupe {

namespace {

/// Texts are bytes (postgres_type). Times are milliseconds since 1970.
///
/// conversations: owner 0 has what nobody sees any more, until it is cleared away. `bytes`: what it
/// counts for its owner's quota. `place`: in the list, the highest first. `node`, `epoch`: who runs
/// a turn of it (chat_fence); node 0: nobody.
/// messages: those from conversations.messages on were cut off.
/// search_rows: the words of texts of users and models, and the owner as "#7", which no word is.
constexpr const char* step_1 = R"sql(
CREATE TABLE owners(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name bytea NOT NULL UNIQUE);
CREATE SEQUENCE conversation_ids INCREMENT BY 64;
CREATE TABLE conversations(
  id bigint PRIMARY KEY, owner bigint NOT NULL, name bytea NOT NULL, title bytea NOT NULL,
  created bigint NOT NULL, updated bigint NOT NULL, messages bigint NOT NULL,
  version bigint NOT NULL, overrides bytea NOT NULL, bytes bigint NOT NULL, place bigint NOT NULL,
  node bigint NOT NULL, epoch bigint NOT NULL, UNIQUE(owner, name)) WITH (fillfactor = 80);
CREATE INDEX conversations_by_place ON conversations(owner, place, id);
CREATE TABLE messages(
  conversation bigint NOT NULL, place bigint NOT NULL, role bigint NOT NULL,
  created bigint NOT NULL, message_id bytea NOT NULL, text bytea NOT NULL, body bytea NOT NULL,
  PRIMARY KEY(conversation, place)) PARTITION BY HASH(conversation);
CREATE TABLE turns(
  conversation bigint NOT NULL, turn_id bytea NOT NULL, number bigint NOT NULL,
  message_id bytea NOT NULL, state bigint NOT NULL, error bytea NOT NULL,
  error_text bytea NOT NULL, model bytea NOT NULL, resumable bigint NOT NULL,
  started bigint NOT NULL, ended bigint NOT NULL, used bytea NOT NULL, counted bigint NOT NULL,
  node bigint NOT NULL, epoch bigint NOT NULL, PRIMARY KEY(conversation, turn_id));
CREATE INDEX turns_in_order ON turns(conversation, number);
CREATE INDEX turns_running ON turns(node) WHERE state = 0;
CREATE TABLE events(
  conversation bigint NOT NULL, turn_id bytea NOT NULL, first_seq bigint NOT NULL,
  batch bytea NOT NULL, PRIMARY KEY(conversation, turn_id, first_seq));
CREATE TABLE usage_days(
  owner bigint NOT NULL, day bytea NOT NULL, model bytea NOT NULL, node bigint NOT NULL,
  turns bigint NOT NULL, requests bigint NOT NULL, input bigint NOT NULL, output bigint NOT NULL,
  total bigint NOT NULL, reasoning bigint NOT NULL, cached bigint NOT NULL,
  PRIMARY KEY(owner, day, model, node));
CREATE TABLE settings(key bytea PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE keys(
  id bytea PRIMARY KEY, owner bytea NOT NULL, name bytea NOT NULL, hash bytea NOT NULL,
  admin bigint NOT NULL, requests_per_minute bigint NOT NULL, concurrent_turns bigint NOT NULL,
  created bigint NOT NULL, revoked bigint NOT NULL);
CREATE TABLE counters(name text PRIMARY KEY, value bigint NOT NULL);
INSERT INTO counters VALUES ('keys', 1), ('probes', 0);
CREATE TABLE search_rows(
  conversation bigint NOT NULL, place bigint NOT NULL, created bigint NOT NULL,
  words tsvector NOT NULL, PRIMARY KEY(conversation, place));
CREATE INDEX search_words ON search_rows USING gin(words);
)sql";

/// nodes: those that live, and dead ones until they are swept. `state`: cluster_state. `wanted`: 1:
/// an operator wants it to drain. Times are of the server's clock; `beat` is in milliseconds.
/// is_dead: its lease is over; or it has missed two beats, and nobody holds its lock, which ends
/// with its connection.
constexpr const char* step_2 = R"sql(
CREATE TABLE nodes(
  incarnation bigint PRIMARY KEY, name bytea NOT NULL, address bytea NOT NULL,
  version bytea NOT NULL, state bigint NOT NULL, wanted bigint NOT NULL, running bigint NOT NULL,
  beat bigint NOT NULL, renewed timestamptz NOT NULL, lease_until timestamptz NOT NULL)
  WITH (fillfactor = 50);
CREATE INDEX nodes_by_name ON nodes(name, incarnation);
CREATE FUNCTION is_dead(n nodes) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT n.state = 2 OR n.lease_until < clock_timestamp() OR
    (n.renewed + 2 * n.beat * interval '1 millisecond' < clock_timestamp() AND NOT EXISTS (
      SELECT 1 FROM pg_catalog.pg_locks l WHERE l.locktype = 'advisory' AND l.granted
      AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d
        WHERE d.datname = pg_catalog.current_database())
      AND l.classid::bigint = n.incarnation >> 32
      AND l.objid::bigint = (n.incarnation & 4294967295) AND l.objsubid = 1)) $$;
)sql";

/// file_uses: kept chats, by their scoped ids. file_uploads: those without an end, by when they
/// began. `about` is the stored_json of stored_file.
constexpr const char* step_3 = R"sql(
CREATE TABLE files(
  id bytea PRIMARY KEY, owner bytea NOT NULL, about bytea NOT NULL, purpose bytea NOT NULL,
  bytes bigint NOT NULL, created bigint NOT NULL, expires bigint NOT NULL);
CREATE INDEX files_in_order ON files(owner, created, id);
CREATE INDEX files_that_expire ON files(expires) WHERE expires > 0;
CREATE TABLE file_uses(
  file bytea NOT NULL, chat bytea NOT NULL, PRIMARY KEY(file, chat));
CREATE INDEX file_uses_of_chat ON file_uses(chat);
CREATE TABLE file_pieces(
  file bytea NOT NULL, place bigint NOT NULL, body bytea NOT NULL, PRIMARY KEY(file, place));
ALTER TABLE file_pieces ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE TABLE file_uploads(file bytea PRIMARY KEY, begun bigint NOT NULL);
)sql";

/// key_use: thousandths of requests of the last seconds, by node. owner_turns: turns that run, of
/// owners with a limit. A crash of the database empties both, and nodes fill them again.
constexpr const char* step_4 = R"sql(
CREATE UNLOGGED TABLE key_use(
  key bytea NOT NULL, node bigint NOT NULL, at timestamptz NOT NULL, taken bigint NOT NULL,
  PRIMARY KEY(key, node)) WITH (fillfactor = 50);
CREATE UNLOGGED TABLE owner_turns(
  owner bytea NOT NULL, node bigint NOT NULL, running bigint NOT NULL,
  PRIMARY KEY(owner, node)) WITH (fillfactor = 50);
)sql";

/// single_servers: the node that has an MCP server of which there is one in the cluster.
constexpr const char* step_5 = R"sql(
CREATE TABLE single_servers(server bytea PRIMARY KEY, node bigint NOT NULL);
)sql";

/// is_dead as before, in a form that PostgreSQL puts into the statements that call it, and that
/// tries the lock: a look into pg_locks takes the longer the more nodes there are, and is planned
/// anew for each statement. Who finds it free has it, shared, up to the end of the transaction: the
/// node, if it comes back in that moment, takes it with its next beat.
constexpr const char* step_6 = R"sql(
CREATE OR REPLACE FUNCTION is_dead(n nodes) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT n.state = 2 OR n.lease_until < clock_timestamp() OR
    (n.renewed + 2 * n.beat * interval '1 millisecond' < clock_timestamp()
      AND pg_catalog.pg_try_advisory_xact_lock_shared(n.incarnation)) $$;
)sql";

/// search_upkeep: where texts begin that are indexed by the words of an earlier version; no row:
/// there are none. The rules of words were changed: signs, ligatures, Hiragana.
constexpr const char* step_7 = R"sql(
CREATE TABLE search_upkeep(conversation bigint NOT NULL, place bigint NOT NULL);
INSERT INTO search_upkeep SELECT 0, 0 WHERE EXISTS(SELECT 1 FROM conversations);
)sql";

constexpr std::array steps{step_1, step_2, step_3, step_4, step_5, step_6, step_7};
constexpr int message_parts = 16;

/// Returns the statements that a step needs beside its own.
std::string more_of(size_t step) {
  std::string out;
  for (int i = 0; step == 0 && i < message_parts; ++i)
    out += fmt::format("CREATE TABLE messages_{0} PARTITION OF messages "
                       "FOR VALUES WITH (MODULUS {1}, REMAINDER {0});",
                       i, message_parts);
  return out;
}

/// The tables found in a schema.
struct schema_state {
  bool exists = false;
  bool has_tables = false;
  bool is_ours = false;
  int version = 0;
};

failure look_at(postgres_connection& db, const std::string& schema, schema_state& out) {
  postgres_rows rows;
  auto error = db.ask("SELECT (SELECT count(*) FROM pg_namespace WHERE nspname = s.name), "
                      "(SELECT count(*) FROM pg_tables WHERE schemaname = s.name), "
                      "(SELECT count(*) FROM pg_tables "
                      "WHERE schemaname = s.name AND tablename = 'about') "
                      "FROM (SELECT convert_from($1, 'UTF8')::name AS name) s",
                      postgres_values{schema}, rows);
  if (error || !rows.next())
    return error;
  out = {rows.integer(0) > 0, rows.integer(1) > 0, rows.integer(2) > 0, 0};
  if (!out.is_ours)
    return {};
  error = db.ask("SELECT version FROM about", {}, rows);
  out.version = !error && rows.next() ? static_cast<int>(rows.integer(0)) : 0;
  return error;
}

failure fault_of(const schema_state& there, const postgres_connection& db,
                 const std::string& schema) {
  if (there.has_tables && !there.is_ours)
    return {errc::store_failed,
            fmt::format("the schema {} of {} was made by another program; name another database",
                        schema, db.place().shown)};
  if (there.version > newest_postgres_schema())
    return {errc::store_newer,
            fmt::format("the database {} has schema {}, this program knows schemas up to {}; use a "
                        "newer troupe, or another database",
                        db.place().shown, there.version, newest_postgres_schema())};
  return {};
}

/// Returns the statements that bring a schema up to date.
std::string steps_from(const schema_state& there, const std::string& schema) {
  std::string out;
  if (!there.exists)
    out += fmt::format("CREATE SCHEMA {};", schema);
  out += fmt::format("SET LOCAL search_path = {};", schema);
  if (!there.is_ours)
    out += "CREATE TABLE about(version bigint NOT NULL); INSERT INTO about VALUES (0);";
  for (auto step = static_cast<size_t>(there.version); step < steps.size(); ++step)
    out += steps[step] + more_of(step);
  return out + fmt::format("UPDATE about SET version = {};", steps.size());
}

failure migrate_alone(postgres_connection& db, const std::string& schema) {
  // Held to the end of the transaction: another program waits, and then finds all done.
  db.add("SELECT pg_advisory_xact_lock(1416786021)");
  schema_state there;
  if (auto error = look_at(db, schema, there))
    return error;
  if (auto error = fault_of(there, db, schema))
    return error;
  return db.execute(steps_from(there, schema));
}

} // namespace

int newest_postgres_schema() {
  return static_cast<int>(steps.size());
}

failure migrate_postgres(postgres_connection& db, const std::string& schema, bool makes) {
  db.doing("make the tables");
  schema_state there;
  if (auto error = look_at(db, schema, there))
    return error;
  if (auto error = fault_of(there, db, schema))
    return error;
  if (there.is_ours && there.version == newest_postgres_schema())
    return {};
  if (!there.is_ours && !makes)
    return {errc::request_invalid, fmt::format("there is no store in {}", db.place().shown)};
  db.begin();
  auto error = migrate_alone(db, schema);
  if (!error)
    return db.commit();
  db.roll_back();
  return error;
}

} // namespace troupe
