#include "transport/sqlite/sqlite_saves.hpp"

#include <utility>

#include <fmt/format.h>

#include "transport/sqlite/sqlite_conversations.hpp"
#include "transport/sqlite/sqlite_messages.hpp"
#include "transport/sqlite/sqlite_turns.hpp"
#include "transport/sqlite/stored_json.hpp"

namespace troupe {

namespace {

/// Returns the reason why a save must be refused, if any.
failure check(const conversation_row& row, const save_chat& ask) {
  if (ask.if_version != 0 && ask.if_version != row.info.version)
    return {errc::conversation_changed, {}};
  if (ask.keep > row.info.messages)
    return {errc::conversation_changed, // the session then loads the chat again
            fmt::format("{} messages are to stay, but {} are kept; load the chat again", ask.keep,
                        row.info.messages)};
  for (const auto& message : ask.more)
    if (auto error = check_message(message))
      return error;
  return check_count(ask.keep + ask.more.size());
}

void give_title(conversation_row& row, const save_chat& ask) {
  for (const auto& message : ask.more)
    if (row.info.title.empty() && message.who == role::user)
      row.info.title = title_of(message.text);
}

/// Returns all that a session needs of its chat, and the chat's row.
chat_record read_chat(sqlite_connection& db, const load_chat& ask, conversation_row& row) {
  chat_record out;
  out.session_id = ask.session_id;
  out.error = find_conversation(db, ask.session_id, row);
  if (out.error || row.key == 0)
    return out;
  out.version = row.info.version;
  stored::read_text(row.overrides, out.overrides);
  out.error = read_history(db, row.key, out.history);
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
  if (auto error = check(chat->row, ask))
    return error;
  if (auto error = check_new(chat->row.key, ask))
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

failure sqlite_saver::write(known_chat& chat, const save_chat& ask, int64_t now_ms) {
  auto& row = chat.row;
  give_title(row, ask);
  row.info.updated_ms = now_ms;
  ++row.info.version;
  if (ask.keep < row.info.messages)
    if (const auto at = cuts_.find(row.key); at != cuts_.end())
      ++at->second;
  if (auto error = cut_messages(db_, row, ask.keep))
    return error;
  auto place = row.info.messages;
  row.info.messages += ask.more.size();
  if (auto error = write_row(chat, ask, now_ms))
    return error;
  for (const auto& message : ask.more)
    if (auto error = add_message(db_, row.key, place++, message, now_ms))
      return error;
  if (!ask.turn.turn_id.empty())
    if (auto error = write_turn(chat, ask, now_ms))
      return error;
  chat.has_events = chat.has_events || !ask.events.empty();
  return append_events(db_, row.key, ask.events);
}

failure sqlite_saver::write_row(known_chat& chat, const save_chat& ask, int64_t now_ms) {
  auto& row = chat.row;
  if (row.key != 0)
    return write_conversation(db_, row);
  chat.has_turns = chat.has_events = false;
  row.info.created_ms = now_ms;
  return add_conversation(db_, ask.session_id, row);
}

failure sqlite_saver::write_turn(known_chat& chat, const save_chat& ask, int64_t now_ms) {
  const auto key = chat.row.key;
  const auto& turn = ask.turn;
  const bool known = turn.turn_id == chat.turn_id && turn.started_ms == chat.turn_started_ms;
  bool counted = known && chat.turn_counted; // a repeated save must not be counted again
  if (!known && chat.has_turns)
    if (auto error = read_counted(db_, key, turn, counted))
      return error;
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

conversation_answer read_conversation(sqlite_connection& db, const get_conversation& ask) {
  conversation_answer out;
  conversation_row row;
  out.error = need_conversation(db, ask.session_id, 0, row);
  if (out.error)
    return out;
  out.found.info = row.info;
  stored::read_text(row.overrides, out.found.overrides);
  out.error = read_messages(db, row.key, out.found.messages);
  if (!out.error)
    out.error = read_turns(db, row.key, out.found.turns);
  return out;
}

} // namespace troupe
