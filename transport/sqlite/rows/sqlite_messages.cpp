#include "transport/sqlite/rows/sqlite_messages.hpp"

#include <utility>

#include "transport/sqlite/database/sqlite_schema.hpp"
#include "transport/sqlite/rows/sqlite_tails.hpp"
#include "transport/store/kept_message.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

failure add_message(sqlite_connection& db, conversation_row& row, uint64_t place,
                    const chat_message& message, int64_t created_ms) {
  json_buffer body;
  const bool any = append_body(body, message);
  row.bytes += message.text.size() + message.id.size() + (any ? body.size() : 0) + kept_row_bytes;
  const auto id = message_key(row.key, static_cast<int64_t>(place));
  const auto add = [&] {
    return sqlite_query{db,
                        "INSERT OR IGNORE INTO messages(id, role, created, message_id, text, body) "
                        "VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                        id,
                        static_cast<int>(message.who),
                        created_ms,
                        message.id,
                        message.text,
                        any ? view(body) : std::string_view{}}
        .run();
  };
  const auto before = db.rows_written();
  if (auto error = add(); error || db.rows_written() > before)
    return error;
  if (auto error = clear_rows(db, id, id + 1, row.bytes)) // of a tail that was cut off
    return error;
  return add();
}

failure copy_messages(sqlite_connection& db, int64_t first, int64_t end, conversation_row& to) {
  const auto moved = message_key(to.key, 0) - (first & ~(most_messages - 1));
  sqlite_query copied{db,
                      "INSERT INTO messages(id, role, created, message_id, text, body) "
                      "SELECT id + ?1, role, created, message_id, text, body FROM messages "
                      "WHERE id >= ?2 AND id < ?3 "
                      "RETURNING length(CAST(text AS BLOB)) + length(CAST(body AS BLOB)) + "
                      "length(CAST(message_id AS BLOB))",
                      moved, first, end};
  while (copied.next())
    to.bytes += copied.natural(0) + kept_row_bytes;
  return copied.error();
}

failure count_bytes(sqlite_connection& db, int64_t first, int64_t end, int64_t& out) {
  sqlite_query sum{db,
                   "SELECT sum(length(CAST(text AS BLOB)) + length(CAST(body AS BLOB)) + "
                   "length(CAST(message_id AS BLOB)) + ?3) FROM messages "
                   "WHERE id >= ?1 AND id < ?2",
                   first, end, kept_row_bytes};
  out = sum.next() ? sum.integer(0) : 0;
  return sum.error();
}

failure cut_messages(sqlite_connection& db, conversation_row& row, uint64_t keep) {
  if (keep >= row.info.messages)
    return {};
  bool is_long = false;
  if (auto error = is_long_tail(db, row, keep, is_long))
    return error;
  sqlite_query indexed{db, "UPDATE conversations SET indexed = min(indexed, ?2) WHERE id = ?1",
                       row.key, keep};
  if (auto error = indexed.run())
    return error;
  const auto messages = std::exchange(row.info.messages, keep);
  if (is_long)
    return leave_tail(db, row.key);
  const auto all = message_key(row.key, 0);
  return clear_rows(db, all + static_cast<int64_t>(keep), all + static_cast<int64_t>(messages),
                    row.bytes);
}

message_rows::message_rows(sqlite_connection& db, const conversation_row& of)
    : rows_{db,
            "SELECT role, message_id, text, body, created FROM messages "
            "WHERE id >= ?1 AND id < ?2 ORDER BY id",
            message_key(of.key, 0),
            message_key(of.key, 0) + static_cast<int64_t>(of.info.messages)} {}

bool message_rows::next(stored_message& out) {
  if (bad_ || !rows_.next())
    return false;
  auto& message = out.message;
  message.who = static_cast<role>(rows_.integer(0));
  message.id = rows_.view(1);
  message.text = rows_.view(2);
  out.created_ms = rows_.integer(4);
  bad_ = !stored::read_text(rows_.view(3), message);
  bytes_ += message.text.size() + rows_.view(3).size();
  return !bad_;
}

failure message_rows::error() const {
  if (bad_)
    return {errc::store_damaged, "a message cannot be read; restore the database from a copy"};
  return rows_.error();
}

failure read_messages(sqlite_connection& db, const conversation_row& of,
                      std::vector<stored_message>& out) {
  message_rows rows{db, of};
  for (stored_message each; rows.next(each); each = {})
    out.push_back(std::move(each));
  return rows.error();
}

failure read_history(sqlite_connection& db, const conversation_row& of,
                     std::vector<chat_message>& out) {
  message_rows rows{db, of};
  for (stored_message each; rows.next(each); each = {})
    out.push_back(std::move(each.message));
  return rows.error();
}

failure count_up_to(sqlite_connection& db, const conversation_row& of,
                    const std::string& message_id, uint64_t& count) {
  sqlite_query last{db,
                    "SELECT id - ?1 + 1 FROM messages WHERE id >= ?1 AND id < ?2 "
                    "AND message_id = ?3 ORDER BY id DESC LIMIT 1",
                    message_key(of.key, 0),
                    message_key(of.key, 0) + static_cast<int64_t>(of.info.messages), message_id};
  count = last.next() ? last.natural(0) : 0;
  return last.error();
}

} // namespace troupe
