#include "transport/postgres/postgres_import.hpp"

#include <algorithm>

#include "messages/chat/session_id.hpp"
#include "messages/store/stored_file.hpp"
#include "transport/store/kept_bytes.hpp"
#include "transport/store/piece_size.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

failure add_whole_chat(postgres_connection& db, std::string_view session_id, postgres_chat& row) {
  row.info.id = public_id(session_id);
  postgres_rows rows;
  auto error = db.ask(
      "INSERT INTO conversations(id, owner, name, title, created, updated, messages, version, "
      "overrides, bytes, place, node, epoch) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, "
      "$10, $11, 0, 0) ON CONFLICT DO NOTHING RETURNING id",
      postgres_values{row.key, row.owner, row.info.id, row.info.title, row.info.created_ms,
                      row.info.updated_ms, row.info.messages, row.info.version, row.overrides,
                      row.bytes, row.place},
      rows);
  return error || rows.next() ? error : failure{errc::conversation_exists, {}};
}

failure postgres_import::piece(bool& more, conversation_info& out) {
  more = true;
  if (row_.key == 0)
    if (auto error = begin())
      return error;
  if (message_ < ask_.content.messages.size())
    return add_messages();
  if (turn_ < ask_.content.turns.size())
    return add_turns();
  more = false;
  return finish(out);
}

failure postgres_import::begin() {
  const auto& content = ask_.content;
  if (auto error = need_free_name(db_, ask_.session_id))
    return error;
  const auto bytes = owners_.quota().any() ? kept_bytes(content) : 0;
  if (auto error = owners_.check(owner_of(ask_.session_id), {1, static_cast<int64_t>(bytes)}))
    return error;
  row_.overrides = stored::text_of(content.overrides);
  if (auto error = intake_.begin(row_.info))
    return error;
  if (auto error = owners_.number_of(owner_of(ask_.session_id), row_.owner))
    return error;
  return owners_.next_key(row_.key);
}

failure postgres_import::add_messages() {
  const auto& all = ask_.content.messages;
  for (const auto end = end_of_piece(all, message_); message_ < end; ++message_) {
    const auto& each = all[message_];
    const auto ids = file_ids_in(each.message);
    named_.insert(ids.begin(), ids.end());
    chat_message made;
    batch_.add_message(row_, message_, intake_.message(each.message, made),
                       intake_.time(each.created_ms));
  }
  row_.info.messages = message_;
  batch_.queue(db_, 0);
  return db_.run();
}

/// Has the chat use the files that it names and that its owner has: the chat that it was exported
/// from may be removed as soon as this one is there. A copy of a store brings the uses itself.
void postgres_import::add_file_uses() {
  if (ask_.from.exact)
    return;
  for (const auto& id : named_)
    db_.add("WITH held AS (SELECT f.id FROM files f WHERE f.id = $1 AND f.owner = $3 FOR SHARE) "
            "INSERT INTO file_uses(file, chat) SELECT id, $2 FROM held ON CONFLICT DO NOTHING",
            postgres_values{id, ask_.session_id, owner_of(ask_.session_id)});
}

failure postgres_import::add_turns() {
  const auto& all = ask_.content.turns;
  for (size_t count = 0; count < piece_rows && turn_ < all.size(); ++count) {
    const auto turn = intake_.turn(all[turn_++]);
    row_.bytes += kept_bytes(turn);
    batch_.add_turn(row_, turn, turn_, intake_.is_counted(turn));
    batch_.queue(db_, 0); // one by one: a file may have a turn twice
  }
  return db_.run();
}

failure postgres_import::find_place(std::string_view owner) {
  row_.place = intake_.place();
  if (row_.place != 0)
    return owners_.note_place(owner, row_.place);
  row_.place = row_.info.updated_ms;
  if (row_.place >= now_ms_)
    return owners_.next_place(owner, now_ms_, row_.place);
  return owners_.note_place(owner, row_.place);
}

failure postgres_import::finish(conversation_info& out) {
  const auto owner = owner_of(ask_.session_id);
  owners_.forget_holdings(); // others may have written since it began
  if (auto error = owners_.check(owner, {1, static_cast<int64_t>(row_.bytes)}))
    return error;
  row_.info.updated_ms = intake_.time(ask_.content.info.updated_ms);
  if (auto error = find_place(owner))
    return error;
  row_.info.version = intake_.version();
  for (const auto& each : ask_.from.events)
    batch_.add_event(row_.key, each);
  batch_.queue(db_, 0);
  add_file_uses();
  if (auto error = add_whole_chat(db_, ask_.session_id, row_))
    return error;
  owners_.forget_holdings();
  out = row_.info;
  return {};
}

} // namespace troupe
