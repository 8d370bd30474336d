#include "transport/sqlite/sqlite_saves.hpp"

#include <algorithm>
#include <utility>

#include "messages/chat/session_id.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"
#include "transport/sqlite/rows/sqlite_conversations.hpp"
#include "transport/sqlite/rows/sqlite_messages.hpp"
#include "transport/sqlite/rows/sqlite_pieces.hpp"
#include "transport/sqlite/rows/sqlite_turns.hpp"
#include "transport/store/answer_room.hpp"
#include "transport/store/conversation_title.hpp"
#include "transport/store/kept_bytes.hpp"
#include "transport/store/save_checks.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

namespace {

/// Returns all that a session needs of its chat, and the chat's row.
chat_record read_chat(sqlite_connection& db, const load_chat& ask, conversation_row& row) {
  chat_record out;
  out.session_id = ask.session_id;
  out.error = find_conversation(db, ask.session_id, row);
  if (out.error || row.key == 0)
    return out;
  out.version = row.info.version;
  stored::read_text(row.overrides, out.overrides);
  out.error = read_history(db, row, out.history);
  if (!out.error)
    out.error = read_last_turn(db, row.key, out.last_turn, out.events);
  return out;
}

} // namespace

failure sqlite_saver::find(const std::string& session_id, known_chat*& out) {
  chats_.enter(db_.epoch());
  out = chats_.find(session_id);
  if (out != nullptr)
    return {};
  known_chat chat;
  if (auto error = find_conversation(db_, session_id, chat.row))
    return error;
  out = &chats_.add(session_id, std::move(chat));
  return {};
}

failure sqlite_saver::save(const save_chat& ask, int64_t now_ms, uint64_t& version) {
  known_chat* chat = nullptr;
  if (auto error = find(ask.session_id, chat))
    return error;
  if (auto error = check_save(chat->row.info, ask))
    return error;
  if (auto error = check_new(chat->row.key, ask))
    return error;
  if (auto error = check_quota(chat->row, ask))
    return error;
  if (auto error = write(*chat, ask, now_ms)) {
    chats_.forget(ask.session_id);
    return error;
  }
  version = chat->row.info.version;
  return {};
}

/// A save that creates a chat may be done already although its answer was lost: then its turn
/// exists.
failure sqlite_saver::check_new(int64_t key, const save_chat& ask) {
  if (!ask.creates || key == 0)
    return {};
  turn_record last;
  std::vector<event_batch> events;
  if (auto error = read_last_turn(db_, key, last, events))
    return error;
  if (!last.turn_id.empty() && last.turn_id == ask.turn.turn_id &&
      last.started_ms == ask.turn.started_ms)
    return {};
  return {errc::conversation_changed, "the chat was imported or branched meanwhile"};
}

/// Only the beginning of a turn is refused: what a running one brings is kept in any case.
failure sqlite_saver::check_quota(const conversation_row& row, const save_chat& ask) {
  if (!ask.begins || !books_.totals.quota().any())
    return {};
  int64_t cut = 0;
  const auto behind = row.info.messages - std::min(ask.keep, row.info.messages);
  const auto all = message_key(row.key, 0);
  if (behind > piece_rows) // to read a long tail would take long: what it counts at least
    cut = static_cast<int64_t>(behind * kept_row_bytes);
  else if (behind > 0)
    if (auto error = count_bytes(db_, all + static_cast<int64_t>(ask.keep),
                                 all + static_cast<int64_t>(row.info.messages), cut))
      return error;
  const auto more = static_cast<int64_t>(kept_bytes(ask)) - cut;
  return books_.totals.check(owner_of(ask.session_id), {row.key == 0 ? 1 : 0, more});
}

failure sqlite_saver::write(known_chat& chat, const save_chat& ask, int64_t now_ms) {
  auto& row = chat.row;
  const bool is_new = row.key == 0;
  const auto before = row.bytes;
  const auto expected = is_new ? kept_bytes(ask) : 0;
  give_title(row.info.title, ask.more);
  row.info.updated_ms = now_ms;
  ++row.info.version;
  if (auto error = books_.order.next(now_ms, row.place))
    return error;
  if (auto error = is_new ? add_row(chat, ask, expected) : cut(row, ask.keep))
    return error;
  if (auto error = write_contents(chat, ask, now_ms))
    return error;
  // A new row has its numbers already, unless its messages have more than texts.
  if (!is_new || row.bytes != expected)
    if (auto error = write_conversation(db_, row))
      return error;
  books_.totals.add(owner_of(ask.session_id),
                    {is_new ? 1 : 0, static_cast<int64_t>(row.bytes - before)});
  chat.has_events = chat.has_events || !ask.events.empty();
  return append_events(db_, row.key, ask.events);
}

failure sqlite_saver::cut(conversation_row& row, uint64_t keep) {
  if (keep < row.info.messages)
    if (const auto at = cuts_.find(row.key); at != cuts_.end())
      ++at->second;
  return cut_messages(db_, row, keep);
}

/// @param bytes that its messages and its turn are going to have
failure sqlite_saver::add_row(known_chat& chat, const save_chat& ask, uint64_t bytes) {
  auto& row = chat.row;
  chat.has_turns = chat.has_events = false;
  row.info.created_ms = row.info.updated_ms;
  row.info.messages = ask.more.size();
  row.bytes = bytes;
  auto error = add_conversation(db_, ask.session_id, row);
  row.info.messages = row.bytes = 0;
  return error;
}

failure sqlite_saver::write_contents(known_chat& chat, const save_chat& ask, int64_t now_ms) {
  auto& row = chat.row;
  for (const auto& message : ask.more)
    if (auto error = add_message(db_, row, row.info.messages++, message, now_ms))
      return error;
  return ask.turn.turn_id.empty() ? failure{} : write_turn(chat, ask, now_ms);
}

failure sqlite_saver::write_turn(known_chat& chat, const save_chat& ask, int64_t now_ms) {
  const auto key = chat.row.key;
  const auto& turn = ask.turn;
  const bool known = turn.turn_id == chat.turn_id && turn.started_ms == chat.turn_started_ms;
  bool counted = known && chat.turn_counted; // a repeated save must not be counted again
  bool exists = known;
  if (!known && chat.has_turns)
    if (auto error = find_turn(db_, key, turn, {exists, counted}))
      return error;
  chat.row.bytes += exists ? 0 : kept_row_bytes;
  const bool counts = !ask.report.turn_id.empty() && !counted;
  counted = counted || counts;
  auto error = known ? update_turn(db_, key, counted, turn)
                     : troupe::write_turn(db_, key, {chat.row.info.version, counted}, turn);
  if (!error && chat.has_events)
    error = drop_events(db_, key, turn);
  if (error)
    return error;
  if (counts)
    sums_.add(chat.row.owner, turn.ended_ms > 0 ? turn.ended_ms : now_ms, ask.report);
  chat.turn_id = turn.turn_id;
  chat.turn_started_ms = turn.started_ms;
  chat.turn_counted = counted;
  chat.has_turns = true;
  chat.has_events = chat.has_events && turn.resumable;
  return {};
}

chat_record sqlite_saver::load(const load_chat& ask) {
  known_chat chat;
  auto out = read_chat(db_, ask, chat.row);
  if (out.error)
    return out;
  chats_.enter(db_.epoch());
  chats_.add(ask.session_id, std::move(chat));
  return out;
}

chat_record sqlite_saver::look(const load_chat& ask, bool& exists) {
  known_chat chat;
  chat_record out;
  out.error = find_conversation(db_, ask.session_id, chat.row);
  if (out.error)
    return out;
  exists = chat.row.key != 0;
  chats_.enter(db_.epoch());
  chats_.add(ask.session_id, std::move(chat));
  return out;
}

conversation_answer read_conversation(sqlite_connection& db, const get_conversation& ask) {
  conversation_answer out;
  conversation_row row;
  out.error = need_conversation(db, ask.session_id, 0, row);
  if (out.error)
    return out;
  out.found.info = row.info;
  out.error = check_room(row.bytes, ask);
  if (out.error)
    return out;
  stored::read_text(row.overrides, out.found.overrides);
  out.error = read_messages(db, row, out.found.messages);
  if (!out.error)
    out.error = read_turns(db, row.key, out.found.turns);
  return out;
}

} // namespace troupe
