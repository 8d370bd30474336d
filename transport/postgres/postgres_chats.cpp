#include "transport/postgres/postgres_chats.hpp"

#include <algorithm>

#include "messages/chat/session_id.hpp"
#include "transport/store/list_cursor.hpp"
#include "transport/store/made_conversation.hpp"
#include "transport/store/stored_rows.hpp"

namespace troupe {

namespace {

constexpr uint32_t longest_list = 1000;

} // namespace

postgres_chat read_chat_columns(const postgres_rows& rows) {
  return {{rows.integer(0), rows.integer(1), read_info_columns(rows, 3), rows.text(2),
           rows.natural(9), rows.integer(10)},
          {rows.natural(11), rows.natural(12)}};
}

failure find_chat(postgres_connection& db, std::string_view session_id, postgres_chat& out) {
  postgres_rows rows;
  auto error =
      db.ask("SELECT c.id, c.owner, c.overrides, c.name, c.title, c.created, c.updated, "
             "c.messages, c.version, c.bytes, c.place, c.node, c.epoch FROM conversations c "
             "WHERE c.owner = (SELECT o.id FROM owners o WHERE o.name = $1) "
             "AND c.name = $2",
             postgres_values{owner_of(session_id), public_id(session_id)}, rows);
  if (!error && rows.next())
    out = read_chat_columns(rows);
  return error;
}

failure need_chat(postgres_connection& db, std::string_view session_id, uint64_t if_version,
                  postgres_chat& out) {
  if (auto error = find_chat(db, session_id, out))
    return error;
  return need_version(out, if_version);
}

conversation_page list_chats(postgres_connection& db, const list_conversations& ask) {
  conversation_page out;
  list_cursor after;
  if (!ask.cursor.empty() && !read_list_cursor(ask.cursor, after)) {
    out.error = {errc::request_invalid, "the cursor is not one that a page came with"};
    return out;
  }
  const auto limit = std::clamp<size_t>(ask.limit, 1, longest_list);
  postgres_rows rows;
  out.error =
      db.ask("SELECT id, name, title, created, updated, messages, version, place "
             "FROM conversations WHERE owner = (SELECT o.id FROM owners o WHERE o.name = $1) "
             "AND (place, id) < ($2, $3) ORDER BY place DESC, id DESC LIMIT $4",
             postgres_values{ask.owner, after.place, after.key, limit + 1}, rows);
  while (!out.error && rows.next()) {
    if (out.conversations.size() == limit) {
      out.next = text_of(after);
      break;
    }
    out.conversations.push_back(read_info_columns(rows, 1));
    after = {rows.integer(7), rows.integer(0)};
  }
  return out;
}

owner_list read_postgres_owners(postgres_connection& db, const list_owners& ask) {
  owner_list out;
  int64_t last = 0;
  postgres_rows rows;
  out.error = db.ask("SELECT id, name FROM owners WHERE id > $1 ORDER BY id LIMIT $2",
                     postgres_values{ask.after, ask.limit}, rows);
  while (!out.error && rows.next()) {
    last = rows.integer(0);
    out.owners.push_back(rows.text(1));
  }
  out.next = out.owners.size() < ask.limit ? 0 : last;
  return out;
}

failure read_owner_holdings(postgres_connection& db, std::string_view owner, owner_holdings& out) {
  postgres_rows rows;
  auto error = db.ask("SELECT count(*), coalesce(sum(bytes), 0)::bigint FROM conversations "
                      "WHERE owner = (SELECT o.id FROM owners o WHERE o.name = $1)",
                      postgres_values{owner}, rows);
  out = {};
  if (!error && rows.next())
    out = {rows.natural(0), rows.natural(1)};
  return error;
}

} // namespace troupe
