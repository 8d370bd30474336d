#include "transport/sqlite/database/sqlite_schema.hpp"

#include <array>

#include <fmt/format.h>

#include "transport/sqlite/database/sqlite_query.hpp"

namespace troupe {

namespace {

// A released step is never changed: existing databases were made by it. Roles and states are
// numbers of their enumerations (role, turn_state); JSON is stored_json's.

/// application_id is "Trpe". Pages: measured, see README.md.
constexpr const char* step_1 = R"sql(
PRAGMA application_id = 1416786021;
CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE conversations(
  id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES owners(id), name TEXT NOT NULL,
  title TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
  messages INTEGER NOT NULL, version INTEGER NOT NULL, overrides TEXT NOT NULL,
  UNIQUE(owner, name));
CREATE INDEX conversations_by_update ON conversations(owner, updated);
CREATE TABLE messages(
  id INTEGER PRIMARY KEY, role INTEGER NOT NULL, created INTEGER NOT NULL,
  message_id TEXT NOT NULL, text TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE turns(
  conversation INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  turn_id TEXT NOT NULL, number INTEGER NOT NULL, message_id TEXT NOT NULL,
  state INTEGER NOT NULL, error TEXT NOT NULL, error_text TEXT NOT NULL, model TEXT NOT NULL,
  resumable INTEGER NOT NULL, started INTEGER NOT NULL, ended INTEGER NOT NULL,
  used TEXT NOT NULL, counted INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(conversation, turn_id)) WITHOUT ROWID;
CREATE INDEX turns_running ON turns(conversation) WHERE state = 0;
CREATE TABLE events(
  conversation INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  turn_id TEXT NOT NULL, first_seq INTEGER NOT NULL, batch TEXT NOT NULL,
  PRIMARY KEY(conversation, turn_id, first_seq)) WITHOUT ROWID;
CREATE TABLE usage_days(
  owner INTEGER NOT NULL REFERENCES owners(id), day TEXT NOT NULL, model TEXT NOT NULL,
  turns INTEGER NOT NULL, requests INTEGER NOT NULL, input INTEGER NOT NULL,
  output INTEGER NOT NULL, total INTEGER NOT NULL, reasoning INTEGER NOT NULL,
  cached INTEGER NOT NULL, PRIMARY KEY(owner, day, model)) WITHOUT ROWID;
CREATE TABLE settings(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE keys(
  id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, hash TEXT NOT NULL,
  admin INTEGER NOT NULL, requests_per_minute INTEGER NOT NULL,
  concurrent_turns INTEGER NOT NULL, created INTEGER NOT NULL,
  revoked INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counters VALUES('keys', 1), ('probes', 0);
)sql";

/// The index holds the row's owner as a word, so that a search never walks through texts of other
/// owners. It keeps no texts: they come through the view. `indexed`: number of a conversation's
/// messages that are in the index or need not be.
constexpr const char* step_2 = R"sql(
ALTER TABLE conversations ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX conversations_to_index ON conversations(owner) WHERE indexed < messages;
CREATE TABLE search_rows(id INTEGER PRIMARY KEY, message INTEGER NOT NULL UNIQUE);
CREATE VIEW search_content AS
  SELECT s.id AS id, 'o' || (s.id >> 45) AS owner, substr(m.text, 1, 65536) AS text
  FROM search_rows s JOIN messages m ON m.id = s.message;
CREATE VIRTUAL TABLE search USING fts5(owner, text, content='search_content', content_rowid='id',
  tokenize='unicode61 remove_diacritics 2', prefix='3');
)sql";

/// The index gets words that are made already (messages/store/search_words.hpp), with spaces
/// between them, and holds neither texts nor their sizes. Everything waits to be indexed again.
/// Owner 0 has what nobody sees: conversations on their way in and out. No session id can name it.
/// `bytes`: what a conversation counts for its owner's quota (kept_row_bytes for each row, 256).
/// `place`: its place in the list (change_order); `updated` is what the clock said.
/// Behind the last message of a conversation in cut_tails stand rows of messages that were cut off.
constexpr const char* step_3 = R"sql(
CREATE TABLE cut_tails(
  conversation INTEGER PRIMARY KEY REFERENCES conversations(id) ON DELETE CASCADE);
DROP TABLE search;
DROP VIEW search_content;
DELETE FROM search_rows;
UPDATE conversations SET indexed = 0 WHERE indexed > 0;
CREATE VIRTUAL TABLE search USING fts5(owner, text, content='', columnsize=0, tokenize='ascii',
  prefix='3');
INSERT INTO owners(id, name) VALUES(0, char(31));
ALTER TABLE conversations ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
UPDATE conversations SET place = updated, bytes =
  (SELECT coalesce(sum(length(CAST(text AS BLOB)) + length(CAST(body AS BLOB)) +
                       length(CAST(message_id AS BLOB)) + 256), 0)
   FROM messages m WHERE m.id >= conversations.id << 20 AND m.id < (conversations.id + 1) << 20) +
  256 * (SELECT count(*) FROM turns t WHERE t.conversation = conversations.id);
DROP INDEX conversations_by_update;
CREATE INDEX conversations_by_place ON conversations(owner, place);
)sql";

/// Texts with U+0000 were indexed up to there only: where there are such, all are indexed anew.
constexpr const char* step_4 = R"sql(
CREATE TEMP TABLE cut_texts AS SELECT 1 FROM messages WHERE instr(text, char(0)) > 0 LIMIT 1;
INSERT INTO search(search) SELECT 'delete-all' FROM cut_texts;
DELETE FROM search_rows WHERE EXISTS(SELECT 1 FROM cut_texts);
UPDATE conversations SET indexed = 0 WHERE indexed > 0 AND EXISTS(SELECT 1 FROM cut_texts);
DROP TABLE cut_texts;
)sql";

/// The rules of words were changed (signs, ligatures, Hiragana): all texts are indexed anew.
constexpr const char* step_5 = R"sql(
INSERT INTO search(search) VALUES('delete-all');
DELETE FROM search_rows;
UPDATE conversations SET indexed = 0 WHERE indexed > 0;
)sql";

constexpr std::array steps{step_1, step_2, step_3, step_4, step_5};
constexpr int application = 1416786021;

failure read_number(sqlite_connection& db, const char* sql, int& out) {
  sqlite_query answer{db, sql};
  if (answer.next())
    out = static_cast<int>(answer.integer(0));
  return answer.error();
}

/// Turns on the log of writes (WAL): a connection can then read while another one writes.
failure need_log(sqlite_connection& db) {
  sqlite_query answer{db, "PRAGMA journal_mode = WAL"};
  const bool logged = answer.next() && answer.view(0) == "wal";
  if (auto error = answer.error(); error || logged)
    return error;
  return {errc::store_failed, "the file system of the data folder has no shared memory between "
                              "processes; choose a folder on a local disk with --data"};
}

failure take_step(sqlite_connection& db, size_t step) {
  if (auto error = db.begin())
    return error;
  auto error = db.execute(steps[step]);
  if (!error)
    error = db.execute(fmt::format("PRAGMA user_version = {}", step + 1).c_str());
  if (error) {
    db.roll_back();
    return error;
  }
  return db.commit();
}

} // namespace

int newest_schema() {
  return static_cast<int>(steps.size());
}

failure read_schema(sqlite_connection& db, int& version) {
  int maker = 0;
  int tables = 0;
  if (auto error = read_number(db, "PRAGMA application_id", maker))
    return error;
  if (auto error = read_number(db, "SELECT count(*) FROM sqlite_schema", tables))
    return error;
  if (tables > 0 && maker != application)
    return {errc::store_failed, "the database was made by another program; choose another folder "
                                "with --data"};
  return read_number(db, "PRAGMA user_version", version);
}

failure migrate(sqlite_connection& db, int version) {
  int now = 0;
  if (auto error = read_schema(db, now))
    return error;
  if (now > newest_schema())
    return {errc::store_newer,
            fmt::format("the database has schema {}, this program knows schemas up to {}; use a "
                        "newer troupe, or another folder with --data",
                        now, newest_schema())};
  if (now == 0)
    if (auto error = db.execute("PRAGMA page_size = 4096"))
      return error;
  if (auto error = need_log(db))
    return error;
  for (; now < version; ++now)
    if (auto error = take_step(db, static_cast<size_t>(now)))
      return error;
  return {};
}

} // namespace troupe
