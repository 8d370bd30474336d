#include "transport/sqlite/rows/sqlite_conversations.hpp"

#include <algorithm>

#include "messages/chat/session_id.hpp"
#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"
#include "transport/sqlite/rows/sqlite_index.hpp"
#include "transport/store/list_cursor.hpp"
#include "transport/store/made_conversation.hpp"
#include "transport/store/stored_rows.hpp"

namespace troupe {

namespace {

constexpr uint32_t longest_page = 1000;

static_assert(most_kept_messages == most_messages);

} // namespace

failure find_conversation(sqlite_connection& db, std::string_view session_id,
                          conversation_row& out) {
  sqlite_query found{db,
                     "SELECT c.id, c.owner, c.overrides, c.name, c.title, c.created, "
                     "c.updated, c.messages, c.version, c.bytes, c.place "
                     "FROM owners o JOIN conversations c "
                     "ON c.owner = o.id WHERE o.name = ?1 AND c.name = ?2",
                     owner_of(session_id), public_id(session_id)};
  if (found.next())
    out = {found.integer(0), found.integer(1), read_info_columns(found, 3),
           found.text(2),    found.natural(9), found.integer(10)};
  return found.error();
}

failure need_free(sqlite_connection& db, std::string_view session_id) {
  conversation_row there;
  if (auto error = find_conversation(db, session_id, there))
    return error;
  return there.key == 0 ? failure{} : failure{errc::conversation_exists, {}};
}

failure need_conversation(sqlite_connection& db, std::string_view session_id, uint64_t if_version,
                          conversation_row& out) {
  if (auto error = find_conversation(db, session_id, out))
    return error;
  return need_version(out, if_version);
}

failure find_owner(sqlite_connection& db, std::string_view name, int64_t& out) {
  sqlite_query found{db, "SELECT id FROM owners WHERE name = ?1", name};
  if (found.next())
    out = found.integer(0);
  return found.error();
}

failure need_owner(sqlite_connection& db, std::string_view name, int64_t& out) {
  if (auto error = find_owner(db, name, out); error || out != 0)
    return error;
  if (auto error = sqlite_query{db, "INSERT INTO owners(name) VALUES(?1)", name}.run())
    return error;
  out = db.last_row();
  if (out >= most_owners)
    return {errc::store_failed, "there are too many owners; use another data folder"};
  return {};
}

owner_list read_owners(sqlite_connection& db, const list_owners& ask) {
  owner_list out;
  int64_t last = 0;
  sqlite_query rows{db, "SELECT id, name FROM owners WHERE id > max(?1, 0) ORDER BY id LIMIT ?2",
                    ask.after, ask.limit};
  while (rows.next()) {
    last = rows.integer(0);
    out.owners.push_back(rows.text(1));
  }
  out.error = rows.error();
  out.next = out.owners.size() < ask.limit ? 0 : last;
  return out;
}

failure add_conversation(sqlite_connection& db, std::string_view session_id,
                         conversation_row& row) {
  if (row.owner == 0)
    if (auto error = need_owner(db, owner_of(session_id), row.owner))
      return error;
  row.info.id = public_id(session_id);
  sqlite_query added{db,
                     "INSERT INTO conversations(owner, name, title, created, updated, messages, "
                     "version, overrides, bytes, place) "
                     "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                     row.owner,
                     row.info.id,
                     row.info.title,
                     row.info.created_ms,
                     row.info.updated_ms,
                     row.info.messages,
                     row.info.version,
                     row.overrides,
                     row.bytes,
                     row.place};
  if (auto error = added.run())
    return error;
  row.key = db.last_row();
  return {};
}

failure write_conversation(sqlite_connection& db, const conversation_row& row) {
  return sqlite_query{db,
                      "UPDATE conversations SET title = ?2, updated = ?3, messages = ?4, "
                      "version = ?5, overrides = ?6, bytes = ?7, place = ?8 WHERE id = ?1",
                      row.key,
                      row.info.title,
                      row.info.updated_ms,
                      row.info.messages,
                      row.info.version,
                      row.overrides,
                      row.bytes,
                      row.place}
      .run();
}

failure remove_conversation(sqlite_connection& db, const conversation_row& row) {
  const auto first = message_key(row.key, 0);
  const auto end = message_key(row.key + 1, 0);
  if (auto error = forget_texts(db, first, end))
    return error;
  sqlite_query messages{db, "DELETE FROM messages WHERE id >= ?1 AND id < ?2", first, end};
  if (auto error = messages.run())
    return error;
  return sqlite_query{db, "DELETE FROM conversations WHERE id = ?1", row.key}.run();
}

conversation_page list_page(sqlite_connection& db, const list_conversations& ask) {
  conversation_page out;
  list_cursor after;
  if (!ask.cursor.empty() && !read_list_cursor(ask.cursor, after)) {
    out.error = {errc::request_invalid, "the cursor is not one that a page came with"};
    return out;
  }
  int64_t owner = 0;
  out.error = find_owner(db, ask.owner, owner);
  if (out.error || owner == 0)
    return out;
  const auto limit = std::clamp<size_t>(ask.limit, 1, longest_page);
  sqlite_query rows{db,
                    "SELECT id, name, title, created, updated, messages, version, place "
                    "FROM conversations WHERE owner = ?1 AND (place, id) < (?2, ?3) "
                    "ORDER BY place DESC, id DESC LIMIT ?4",
                    owner,
                    after.place,
                    after.key,
                    limit + 1};
  while (rows.next()) {
    if (out.conversations.size() == limit) {
      out.next = text_of(after);
      break;
    }
    out.conversations.push_back(read_info_columns(rows, 1));
    after = {rows.integer(7), rows.integer(0)};
  }
  out.error = rows.error();
  return out;
}

} // namespace troupe
