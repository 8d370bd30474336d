#include "transport/postgres/postgres_contents.hpp"

#include <utility>

#include "messages/chat/session_id.hpp"
#include "transport/store/stored_json.hpp"
#include "transport/store/stored_rows.hpp"

namespace troupe {

failure read_messages_between(postgres_connection& db, int64_t conversation,
                              std::pair<uint64_t, uint64_t> places,
                              std::vector<stored_message>& out) {
  postgres_rows rows;
  auto error = db.ask("SELECT role, message_id, text, body, created FROM messages "
                      "WHERE conversation = $1 AND place >= $2 AND place < $3 ORDER BY place",
                      postgres_values{conversation, places.first, places.second}, rows);
  while (!error && rows.next()) {
    auto& each = out.emplace_back();
    each.message.who = static_cast<role>(rows.integer(0));
    each.message.id = rows.view(1);
    each.message.text = rows.view(2);
    each.created_ms = rows.integer(4);
    if (!stored::read_text(rows.view(3), each.message))
      error = {errc::store_damaged, "a message cannot be read; restore the database from a copy"};
  }
  return error;
}

failure read_all_turns(postgres_connection& db, int64_t conversation,
                       std::vector<turn_record>& out) {
  postgres_rows rows;
  auto error = db.ask("SELECT turn_id, message_id, state, error, error_text, model, resumable, "
                      "started, ended, used FROM turns WHERE conversation = $1 ORDER BY number",
                      postgres_values{conversation}, rows);
  while (!error && rows.next())
    error = read_turn_columns(rows, out.emplace_back());
  return error;
}

/// The owner's number is looked up, not joined: a plan that was made while the tables were empty
/// would go through all names, or through all chats of the owner.
failure find_chats(postgres_connection& db, const std::vector<std::string_view>& ids,
                   std::vector<found_chat>& out) {
  bytes_list owners, names;
  for (const auto id : ids) {
    owners.add(owner_of(id));
    names.add(public_id(id));
  }
  out.assign(ids.size(), {});
  postgres_rows rows;
  auto error = db.ask(
      "SELECT c.id, c.owner, c.overrides, c.name, c.title, c.created, c.updated, c.messages, "
      "c.version, c.bytes, c.place, c.node, c.epoch, t.turn_id, t.message_id, t.state, t.error, "
      "t.error_text, t.model, t.resumable, t.started, t.ended, t.used, t.counted, t.node, t.epoch, "
      "i.at FROM unnest($1::bytea[], $2::bytea[]) WITH ORDINALITY AS i(owner, name, at) "
      "JOIN conversations c ON c.owner = (SELECT o.id FROM owners o WHERE o.name = i.owner) "
      "AND c.name = i.name LEFT JOIN LATERAL (SELECT * FROM turns WHERE conversation = c.id "
      "ORDER BY number DESC LIMIT 1) t ON true",
      postgres_values{owners, names}, rows);
  while (!error && rows.next()) {
    auto& chat = out[rows.natural(26) - 1];
    chat.row = read_chat_columns(rows);
    if (rows.view(13).empty())
      continue;
    chat.counted = rows.integer(23) != 0;
    chat.fence = {rows.natural(24), rows.natural(25)};
    chat.fault = read_turn_columns(rows, chat.turn, 13);
  }
  return error;
}

failure read_turn_events(postgres_connection& db, int64_t conversation, const turn_record& turn,
                         std::vector<event_batch>& out) {
  const bool is_open = turn.state == turn_state::running || turn.state == turn_state::interrupted;
  if (!turn.resumable || !is_open)
    return {};
  postgres_rows rows;
  auto error = db.ask("SELECT batch FROM events WHERE conversation = $1 AND turn_id = $2 "
                      "ORDER BY first_seq",
                      postgres_values{conversation, turn.turn_id}, rows);
  while (!error && rows.next())
    if (!stored::read_text(rows.view(0), out.emplace_back()))
      error = {errc::store_damaged, "events cannot be read; restore the database from a copy"};
  return error;
}

} // namespace troupe
