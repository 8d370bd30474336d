#include "transport/sqlite/rows/sqlite_pieces.hpp"

#include "messages/chat/session_id.hpp"
#include "messages/ids.hpp"
#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"
#include "transport/sqlite/rows/sqlite_tails.hpp"

namespace troupe {

namespace {

failure clear_messages(sqlite_connection& db, int64_t key, bool& more) {
  const auto last = message_key(key + 1, 0);
  const auto first = message_key(key, 0);
  int64_t end = last;
  if (auto error = find_piece(db, first, last, end))
    return error;
  more = end < last;
  uint64_t of_nobody = 0;
  return clear_rows(db, first, end, of_nobody);
}

failure clear_turns(sqlite_connection& db, int64_t key, bool& more) {
  const auto before = db.rows_written();
  sqlite_query rows{db,
                    "DELETE FROM turns WHERE conversation = ?1 AND turn_id IN "
                    "(SELECT turn_id FROM turns WHERE conversation = ?1 LIMIT ?2)",
                    key, piece_rows};
  auto error = rows.run();
  more = db.rows_written() - before == static_cast<int64_t>(piece_rows);
  return error;
}

} // namespace

failure find_piece(sqlite_connection& db, int64_t first, int64_t last, int64_t& end) {
  sqlite_query rows{
      db,
      "SELECT id, length(CAST(text AS BLOB)) + length(CAST(body AS BLOB)) FROM messages "
      "WHERE id >= ?1 AND id < ?2 ORDER BY id",
      first, last};
  size_t bytes = 0;
  for (size_t count = 0; rows.next(); ++count) {
    end = rows.integer(0);
    bytes += rows.natural(1);
    if (count == piece_rows || (count > 0 && bytes > piece_bytes))
      return {};
  }
  end = last;
  return rows.error();
}

failure takes_pieces(sqlite_connection& db, int64_t key, bool& out) {
  const auto last = message_key(key + 1, 0);
  auto end = last;
  auto error = find_piece(db, message_key(key, 0), last, end);
  out = end < last;
  return error;
}

failure add_unseen(sqlite_connection& db, conversation_row& row) {
  const auto name = make_id(""); // lives as long as the query
  sqlite_query added{db,
                     "INSERT INTO conversations(owner, name, title, created, updated, messages, "
                     "version, overrides) VALUES(0, ?1, '', 0, 0, 0, 0, '')",
                     name};
  if (auto error = added.run())
    return error;
  row.key = db.last_row();
  return {};
}

failure show(sqlite_connection& db, std::string_view session_id, conversation_row& row) {
  if (auto error = need_free(db, session_id))
    return error;
  if (auto error = need_owner(db, owner_of(session_id), row.owner))
    return error;
  row.info.id = public_id(session_id);
  sqlite_query named{
      db,          "UPDATE conversations SET owner = ?2, name = ?3, created = ?4 WHERE id = ?1",
      row.key,     row.owner,
      row.info.id, row.info.created_ms};
  if (auto error = named.run())
    return error;
  return write_conversation(db, row);
}

failure hide(sqlite_connection& db, const conversation_row& row) {
  // No new texts of it are to be indexed.
  return sqlite_query{db,
                      "UPDATE conversations SET owner = 0, name = ?2, indexed = messages "
                      "WHERE id = ?1",
                      row.key, make_id("")}
      .run();
}

failure clear_piece(sqlite_connection& db, int64_t key, bool& more) {
  if (auto error = clear_messages(db, key, more); error || more)
    return error;
  if (auto error = clear_turns(db, key, more); error || more)
    return error;
  return sqlite_query{db, "DELETE FROM conversations WHERE id = ?1", key}.run();
}

} // namespace troupe
