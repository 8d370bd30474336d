#include "transport/sqlite/sqlite_saves.hpp"

#include <fmt/format.h>

#include "transport/sqlite/sqlite_conversations.hpp"
#include "transport/sqlite/sqlite_messages.hpp"
#include "transport/sqlite/sqlite_turns.hpp"
#include "transport/sqlite/sqlite_usage.hpp"
#include "transport/sqlite/stored_json.hpp"

namespace troupe {

namespace {

/// All that a save can be refused for.
failure check(const conversation_row& row, const save_chat& ask) {
  if (ask.if_version != 0 && ask.if_version != row.info.version)
    return {errc::conversation_changed, {}};
  if (ask.keep > row.info.messages)
    return {errc::conversation_changed, // the session loads it again
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

failure save_turn(sqlite_connection& db, const conversation_row& row, const save_chat& ask,
                  int64_t now_ms) {
  if (!ask.turn.turn_id.empty())
    if (auto error = write_turn(db, row.key, row.info.version, ask.turn))
      return error;
  if (auto error = append_events(db, row.key, ask.events))
    return error;
  if (ask.report.turn_id.empty())
    return {};
  bool fresh = false; // a save that is sent again is not counted again
  if (auto error = mark_counted(db, row.key, ask.report.turn_id, fresh); error || !fresh)
    return error;
  const auto ended = ask.turn.ended_ms > 0 ? ask.turn.ended_ms : now_ms;
  return add_usage(db, row.owner, ended, ask.report);
}

} // namespace

failure apply_save(sqlite_connection& db, const save_chat& ask, int64_t now_ms, uint64_t& version) {
  conversation_row row;
  if (auto error = find_conversation(db, ask.session_id, row))
    return error;
  if (auto error = check(row, ask))
    return error;
  give_title(row, ask);
  if (row.key == 0) {
    row.info.created_ms = now_ms;
    if (auto error = add_conversation(db, ask.session_id, row))
      return error;
  }
  row.info.updated_ms = now_ms;
  version = ++row.info.version;
  if (auto error = cut_messages(db, row, ask.keep))
    return error;
  for (const auto& message : ask.more)
    if (auto error = append_message(db, row, message, now_ms))
      return error;
  if (auto error = save_turn(db, row, ask, now_ms))
    return error;
  return write_conversation(db, row);
}

chat_record read_chat(sqlite_connection& db, const load_chat& ask) {
  chat_record out;
  out.session_id = ask.session_id;
  conversation_row row;
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
