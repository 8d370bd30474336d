#include "transport/sqlite/sqlite_changes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "messages/chat/session_id.hpp"
#include "transport/sqlite/sqlite_conversations.hpp"
#include "transport/sqlite/sqlite_messages.hpp"
#include "transport/sqlite/sqlite_turns.hpp"
#include "transport/sqlite/stored_json.hpp"

namespace troupe {

namespace {

failure need_free(sqlite_connection& db, std::string_view session_id) {
  conversation_row there;
  if (auto error = find_conversation(db, session_id, there))
    return error;
  return there.key == 0 ? failure{} : failure{errc::conversation_exists, {}};
}

/// Writes a changed row as the conversation's next version.
failure finish(sqlite_connection& db, conversation_row& row, int64_t now_ms,
               conversation_info& out) {
  row.info.updated_ms = now_ms;
  ++row.info.version;
  out = row.info;
  return write_conversation(db, row);
}

failure remove(sqlite_connection& db, const conversation_row& row, conversation_info& out) {
  out = row.info;
  out.version = 0;
  return remove_conversation(db, row);
}

failure branch(sqlite_connection& db, const change_conversation& ask, const conversation_row& from,
               int64_t now_ms, conversation_info& out) {
  auto count = from.info.messages;
  if (!ask.message_id.empty())
    if (auto error = count_up_to(db, from.key, ask.message_id, count))
      return error;
  if (count == 0 && !ask.message_id.empty())
    return {errc::request_invalid,
            fmt::format("the conversation has no message '{}'", ask.message_id)};
  if (owner_of(ask.to) != owner_of(ask.session_id))
    return {errc::request_invalid, "a branch belongs to the owner of its conversation"};
  if (auto error = need_free(db, ask.to))
    return error;
  conversation_row made;
  made.overrides = from.overrides;
  made.info.title = ask.title.empty() ? from.info.title : ask.title;
  made.info.created_ms = now_ms;
  made.info.version = from.info.version; // later turns come after the copied ones
  if (auto error = add_conversation(db, ask.to, made))
    return error;
  if (auto error = copy_messages(db, from.key, count, made))
    return error;
  if (auto error = copy_turns(db, from.key, made.key))
    return error;
  return finish(db, made, now_ms, out);
}

/// Returns a time of an import; a missing or future time becomes now.
int64_t past(int64_t time_ms, int64_t now_ms) {
  return time_ms > 0 ? std::min(time_ms, now_ms) : now_ms;
}

/// Drops pending approvals: an import must not be able to choose the calls that run.
chat_message without_approvals(chat_message message) {
  for (auto& each : message.tool_calls)
    each.approval = {};
  return message;
}

failure import_content(sqlite_connection& db, const conversation& content, conversation_row& row,
                       int64_t now_ms) {
  for (const auto& each : content.messages)
    if (auto error = add_message(db, row.key, row.info.messages++, without_approvals(each.message),
                                 past(each.created_ms, now_ms)))
      return error;
  uint64_t number = 0;
  for (auto turn : content.turns) {
    if (turn.state == turn_state::running)
      turn.state = turn_state::interrupted; // no process runs it here
    if (auto error = write_turn(db, row.key, {++number, false}, turn))
      return error;
  }
  return {};
}

failure import(sqlite_connection& db, const change_conversation& ask, int64_t now_ms,
               conversation_info& out) {
  if (auto error = need_free(db, ask.session_id))
    return error;
  const auto& content = ask.content;
  conversation_row row;
  row.overrides = stored::text_of(content.overrides);
  row.info.created_ms = past(content.info.created_ms, now_ms);
  row.info.title = content.info.title;
  for (const auto& each : content.messages) {
    if (row.info.title.empty() && each.message.who == role::user)
      row.info.title = title_of(each.message.text);
    if (auto error = check_message(each.message))
      return error;
  }
  if (auto error = check_count(content.messages.size()))
    return error;
  if (auto error = add_conversation(db, ask.session_id, row))
    return error;
  if (auto error = import_content(db, content, row, now_ms))
    return error;
  // Turns of later saves come after the imported ones.
  row.info.version = content.turns.size();
  return finish(db, row, past(content.info.updated_ms, now_ms), out);
}

} // namespace

failure apply_change(sqlite_connection& db, const change_conversation& ask, int64_t now_ms,
                     conversation_info& out) {
  if (ask.verb == conversation_verb::import)
    return import(db, ask, now_ms, out);
  conversation_row row;
  if (auto error = need_conversation(db, ask.session_id, ask.if_version, row))
    return error;
  switch (ask.verb) {
  case conversation_verb::rename:
    row.info.title = ask.title;
    return finish(db, row, now_ms, out);
  case conversation_verb::override:
    row.overrides = stored::text_of(ask.overrides);
    return finish(db, row, now_ms, out);
  case conversation_verb::branch:
    return branch(db, ask, row, now_ms, out);
  case conversation_verb::remove:
    return remove(db, row, out);
  case conversation_verb::import:
    break;
  }
  return {errc::store_failed, "there is no such change"};
}

} // namespace troupe
