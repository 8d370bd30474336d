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

void ask_for_last_turn(postgres_connection& db, std::string_view session_id) {
  db.add("SELECT turn_id, message_id, state, error, error_text, model, resumable, started, ended, "
         "used, counted, node, epoch FROM turns WHERE conversation = (SELECT c.id FROM owners o "
         "JOIN conversations c ON c.owner = o.id WHERE o.name = $1 AND c.name = $2) "
         "ORDER BY number DESC LIMIT 1",
         postgres_values{owner_of(session_id), public_id(session_id)});
}

failure read_last_turn_row(postgres_rows& rows, last_turn_row& out) {
  out = {};
  if (!rows.next())
    return {};
  out.counted = rows.integer(10) != 0;
  out.fence = {rows.natural(11), rows.natural(12)};
  return read_turn_columns(rows, out.turn);
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
