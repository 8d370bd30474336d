#include "transport/sqlite/rows/sqlite_tails.hpp"

#include <algorithm>

#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"
#include "transport/sqlite/rows/sqlite_index.hpp"
#include "transport/sqlite/rows/sqlite_pieces.hpp"

namespace troupe {

failure is_long_tail(sqlite_connection& db, const conversation_row& row, uint64_t keep, bool& out) {
  out = row.info.messages - keep > piece_rows;
  if (out)
    return {};
  const auto all = message_key(row.key, 0);
  const auto last = all + static_cast<int64_t>(row.info.messages);
  auto end = last;
  auto error = find_piece(db, all + static_cast<int64_t>(keep), last, end);
  out = end < last;
  return error;
}

failure leave_tail(sqlite_connection& db, int64_t key) {
  return sqlite_query{db, "INSERT OR IGNORE INTO cut_tails(conversation) VALUES(?1)", key}.run();
}

failure clear_rows(sqlite_connection& db, int64_t first, int64_t end, uint64_t& bytes) {
  if (auto error = forget_texts(db, first, end))
    return error;
  sqlite_query cut{db,
                   "DELETE FROM messages WHERE id >= ?1 AND id < ?2 "
                   "RETURNING length(CAST(text AS BLOB)) + length(CAST(body AS BLOB)) + "
                   "length(CAST(message_id AS BLOB))",
                   first, end};
  while (cut.next())
    bytes -= std::min(bytes, cut.natural(0) + kept_row_bytes);
  return cut.error();
}

failure find_tail(sqlite_connection& db, int64_t& out) {
  sqlite_query found{db, "SELECT conversation FROM cut_tails LIMIT 1"};
  out = found.next() ? found.integer(0) : 0;
  return found.error();
}

failure clear_tail_piece(sqlite_connection& db, int64_t key) {
  int64_t messages = 0;
  uint64_t bytes = 0;
  {
    sqlite_query row{db, "SELECT messages, bytes FROM conversations WHERE id = ?1", key};
    if (row.next()) {
      messages = row.integer(0);
      bytes = row.natural(1);
    }
    if (auto error = row.error())
      return error;
  }
  const auto last = message_key(key + 1, 0);
  const auto first = message_key(key, 0) + messages;
  auto end = last;
  if (auto error = find_piece(db, first, last, end))
    return error;
  if (auto error = clear_rows(db, first, end, bytes))
    return error;
  sqlite_query counted{db, "UPDATE conversations SET bytes = ?2 WHERE id = ?1", key, bytes};
  if (auto error = counted.run(); error || end < last)
    return error;
  return sqlite_query{db, "DELETE FROM cut_tails WHERE conversation = ?1", key}.run();
}

} // namespace troupe
