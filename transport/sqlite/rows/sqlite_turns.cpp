#include "transport/sqlite/rows/sqlite_turns.hpp"

#include "messages/store/owner_quota.hpp"
#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"
#include "transport/store/stored_json.hpp"
#include "transport/store/stored_rows.hpp"

namespace troupe {

namespace {

bool is_over(turn_state state) {
  return state != turn_state::running && state != turn_state::interrupted;
}

failure read_events(sqlite_connection& db, int64_t conversation, const std::string& turn_id,
                    std::vector<event_batch>& out) {
  sqlite_query rows{db,
                    "SELECT batch FROM events WHERE conversation = ?1 AND turn_id = ?2 "
                    "ORDER BY first_seq",
                    conversation, turn_id};
  while (rows.next())
    if (!stored::read_text(rows.view(0), out.emplace_back()))
      return {errc::store_damaged, "events cannot be read; restore the database from a copy"};
  return rows.error();
}

/// Drops the events of an earlier turn that had the same id.
failure drop_reused(sqlite_connection& db, int64_t conversation, const turn_record& turn) {
  return sqlite_query{db,
                      "DELETE FROM events WHERE conversation = ?1 AND turn_id = ?2 AND EXISTS "
                      "(SELECT 1 FROM turns WHERE conversation = ?1 AND turn_id = ?2 "
                      "AND started <> ?3)",
                      conversation, turn.turn_id, turn.started_ms}
      .run();
}

} // namespace

failure write_turn(sqlite_connection& db, int64_t conversation, const turn_place& at,
                   const turn_record& turn) {
  const auto used = stored::text_of(turn.used);
  const auto error = turn.error ? to_string(turn.error.code) : std::string{};
  if (turn.resumable)
    if (auto failed = drop_reused(db, conversation, turn))
      return failed;
  return sqlite_query{db,
                      "INSERT INTO turns(conversation, turn_id, number, message_id, state, error, "
                      "error_text, model, resumable, started, ended, used, counted) "
                      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) "
                      "ON CONFLICT(conversation, turn_id) DO UPDATE SET message_id = ?4, "
                      "state = ?5, error = ?6, error_text = ?7, model = ?8, resumable = ?9, "
                      "ended = ?11, used = ?12, started = ?10, "
                      "number = CASE WHEN started = ?10 THEN number ELSE ?3 END, "
                      "counted = CASE WHEN started = ?10 THEN max(counted, ?13) ELSE ?13 END",
                      conversation,
                      turn.turn_id,
                      at.number,
                      turn.message_id,
                      static_cast<int>(turn.state),
                      error,
                      turn.error.message,
                      turn.model,
                      turn.resumable,
                      turn.started_ms,
                      turn.ended_ms,
                      used,
                      at.counted}
      .run();
}

failure update_turn(sqlite_connection& db, int64_t conversation, bool counted,
                    const turn_record& turn) {
  const auto used = stored::text_of(turn.used);
  const auto error = turn.error ? to_string(turn.error.code) : std::string{};
  return sqlite_query{db,
                      "UPDATE turns SET message_id = ?3, state = ?4, error = ?5, error_text = ?6, "
                      "model = ?7, resumable = ?8, ended = ?9, used = ?10, counted = ?11 "
                      "WHERE conversation = ?1 AND turn_id = ?2",
                      conversation,
                      turn.turn_id,
                      turn.message_id,
                      static_cast<int>(turn.state),
                      error,
                      turn.error.message,
                      turn.model,
                      turn.resumable,
                      turn.ended_ms,
                      used,
                      counted}
      .run();
}

failure drop_events(sqlite_connection& db, int64_t conversation, const turn_record& turn) {
  const bool stay = turn.resumable && !is_over(turn.state);
  return sqlite_query{db, "DELETE FROM events WHERE conversation = ?1 AND turn_id <> ?2",
                      conversation, stay ? std::string_view{turn.turn_id} : std::string_view{}}
      .run();
}

failure append_events(sqlite_connection& db, int64_t conversation,
                      const std::vector<event_batch>& events) {
  for (const auto& batch : events) {
    json_buffer text;
    stored::append(text, batch);
    sqlite_query row{db,
                     "INSERT OR REPLACE INTO events(conversation, turn_id, first_seq, batch) "
                     "VALUES(?1, ?2, ?3, ?4)",
                     conversation,
                     batch.turn_id,
                     batch.first_seq,
                     view(text)};
    if (auto error = row.run())
      return error;
  }
  return {};
}

failure read_turns(sqlite_connection& db, int64_t conversation, std::vector<turn_record>& out) {
  sqlite_query rows{db,
                    "SELECT turn_id, message_id, state, error, error_text, model, resumable, "
                    "started, ended, used FROM turns WHERE conversation = ?1 ORDER BY number",
                    conversation};
  while (rows.next())
    if (auto error = read_turn_columns(rows, out.emplace_back()))
      return error;
  return rows.error();
}

failure read_last_turn(sqlite_connection& db, int64_t conversation, turn_record& turn,
                       std::vector<event_batch>& events) {
  sqlite_query rows{db,
                    "SELECT turn_id, message_id, state, error, error_text, model, resumable, "
                    "started, ended, used FROM turns WHERE conversation = ?1 "
                    "ORDER BY number DESC LIMIT 1",
                    conversation};
  if (!rows.next())
    return rows.error();
  if (auto error = read_turn_columns(rows, turn))
    return error;
  if (!turn.resumable || is_over(turn.state))
    return {};
  return read_events(db, conversation, turn.turn_id, events);
}

/// A turn that runs does not run in the copy: there its open calls may or may not have run.
failure copy_turn(sqlite_connection& db, int64_t from, conversation_row& to,
                  std::string_view turn_id) {
  sqlite_query copied{db,
                      "INSERT INTO turns(conversation, turn_id, number, message_id, state, error, "
                      "error_text, model, resumable, started, ended, used, counted) "
                      "SELECT ?2, turn_id, number, message_id, iif(state = 0, 4, state), "
                      "iif(state = 0, 'server_restarted', error), error_text, model, "
                      "resumable, started, ended, used, 1 FROM turns "
                      "WHERE conversation = ?1 AND turn_id = ?3 "
                      "RETURNING max(?4, length(CAST(turn_id AS BLOB)) + "
                      "length(CAST(message_id AS BLOB)) + length(CAST(model AS BLOB)) + "
                      "length(CAST(error_text AS BLOB)))",
                      from,
                      to.key,
                      turn_id,
                      kept_row_bytes};
  while (copied.next())
    to.bytes += copied.natural(0);
  return copied.error();
}

failure find_turn(sqlite_connection& db, int64_t conversation, const turn_record& turn,
                  const turn_traces& out) {
  sqlite_query row{db,
                   "SELECT counted FROM turns "
                   "WHERE conversation = ?1 AND turn_id = ?2 AND started = ?3",
                   conversation, turn.turn_id, turn.started_ms};
  out.exists = row.next();
  out.counted = out.exists && row.integer(0) != 0;
  return row.error();
}

failure interrupt_turns(sqlite_connection& db, int64_t now_ms, uint64_t& out) {
  sqlite_query versions{db, "UPDATE conversations SET version = version + 1 "
                            "WHERE id IN (SELECT conversation FROM turns WHERE state = 0)"};
  if (auto error = versions.run())
    return error;
  const auto before = db.rows_written();
  const auto why = to_string(errc::server_restarted);
  sqlite_query rows{db,
                    "UPDATE turns SET state = 4, error = ?1, error_text = '', ended = ?2 "
                    "WHERE state = 0",
                    why, now_ms};
  auto error = rows.run();
  out = static_cast<uint64_t>(db.rows_written() - before);
  return error;
}

} // namespace troupe
