#include "transport/sqlite/sqlite_messages.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"
#include "transport/sqlite/sqlite_index.hpp"
#include "transport/sqlite/stored_json.hpp"

namespace troupe {

namespace {

constexpr size_t max_message_bytes = size_t{256} * 1024 * 1024; ///< of a message; SQLite takes 10^9

/// Returns whether a member is stored in `body`, because it has no column of its own.
bool stands_in_body(std::string_view name) {
  return name != "role" && name != "text" && name != "id";
}

/// Columns: role, message_id, text, body, created.
failure read_rows(sqlite_connection& db, int64_t conversation,
                  const std::function<void(chat_message&&, int64_t)>& take) {
  sqlite_query rows{db,
                    "SELECT role, message_id, text, body, created FROM messages "
                    "WHERE id >= ?1 AND id < ?2 ORDER BY id",
                    message_key(conversation, 0), message_key(conversation + 1, 0)};
  while (rows.next()) {
    chat_message message;
    message.who = static_cast<role>(rows.integer(0));
    message.id = rows.view(1);
    message.text = rows.view(2);
    if (!stored::read_text(rows.view(3), message))
      return {errc::store_damaged, "a message cannot be read; restore the database from a copy"};
    take(std::move(message), rows.integer(4));
  }
  return rows.error();
}

} // namespace

size_t bytes_of(const chat_message& message) {
  auto bytes = message.text.size() + message.reasoning.size() + message.provider_metadata.size();
  for (const auto& call : message.tool_calls)
    bytes += call.arguments.size() + call.provider_metadata.size();
  for (const auto& extra : message.extras)
    bytes += extra.content.size();
  for (const auto& file : message.files)
    bytes += file.url.size();
  for (const auto& part : message.shown)
    bytes += part.value.size();
  return bytes;
}

failure check_count(uint64_t messages) {
  if (messages <= static_cast<uint64_t>(most_messages))
    return {};
  return {errc::store_failed,
          fmt::format("a conversation can have {} messages; begin a new one", most_messages)};
}

failure check_message(const chat_message& message) {
  if (bytes_of(message) <= max_message_bytes)
    return {};
  return {errc::store_failed, fmt::format("a message can have {} bytes", max_message_bytes)};
}

failure add_message(sqlite_connection& db, conversation_row& row, uint64_t place,
                    const chat_message& message, int64_t created_ms) {
  json_buffer body;
  const bool any = stored::append_some(body, message, stands_in_body);
  row.bytes += message.text.size() + message.id.size() + (any ? body.size() : 0) + kept_row_bytes;
  return sqlite_query{db,
                      "INSERT INTO messages(id, role, created, message_id, text, body) "
                      "VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                      message_key(row.key, static_cast<int64_t>(place)),
                      static_cast<int>(message.who),
                      created_ms,
                      message.id,
                      message.text,
                      any ? view(body) : std::string_view{}}
      .run();
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
  const auto first = message_key(row.key, static_cast<int64_t>(keep));
  const auto end = message_key(row.key + 1, 0);
  if (auto error = forget_texts(db, first, end))
    return error;
  sqlite_query indexed{db, "UPDATE conversations SET indexed = min(indexed, ?2) WHERE id = ?1",
                       row.key, keep};
  if (auto error = indexed.run())
    return error;
  row.info.messages = keep;
  sqlite_query cut{db,
                   "DELETE FROM messages WHERE id >= ?1 AND id < ?2 "
                   "RETURNING length(CAST(text AS BLOB)) + length(CAST(body AS BLOB)) + "
                   "length(CAST(message_id AS BLOB))",
                   first, end};
  while (cut.next())
    row.bytes -= std::min(row.bytes, cut.natural(0) + kept_row_bytes);
  return cut.error();
}

failure read_messages(sqlite_connection& db, int64_t conversation,
                      std::vector<stored_message>& out) {
  return read_rows(db, conversation, [&out](chat_message&& message, int64_t created_ms) {
    out.push_back({std::move(message), created_ms});
  });
}

failure read_history(sqlite_connection& db, int64_t conversation, std::vector<chat_message>& out) {
  return read_rows(db, conversation,
                   [&out](chat_message&& message, int64_t) { out.push_back(std::move(message)); });
}

failure count_up_to(sqlite_connection& db, int64_t conversation, const std::string& message_id,
                    uint64_t& count) {
  sqlite_query last{db,
                    "SELECT id - ?1 + 1 FROM messages WHERE id >= ?1 AND id < ?2 "
                    "AND message_id = ?3 ORDER BY id DESC LIMIT 1",
                    message_key(conversation, 0), message_key(conversation + 1, 0), message_id};
  count = last.next() ? last.natural(0) : 0;
  return last.error();
}

} // namespace troupe
