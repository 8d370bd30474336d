#include "transport/sqlite/sqlite_import.hpp"

#include <algorithm>

#include "transport/sqlite/sqlite_messages.hpp"
#include "transport/sqlite/sqlite_pieces.hpp"
#include "transport/sqlite/sqlite_turns.hpp"
#include "transport/sqlite/stored_json.hpp"

namespace troupe {

namespace {

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

} // namespace

failure sqlite_import::piece(bool& more, conversation_info& out) {
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

failure sqlite_import::begin() {
  const auto& content = ask_.content;
  if (auto error = need_free(db_, ask_.session_id))
    return error;
  row_.overrides = stored::text_of(content.overrides);
  row_.info.created_ms = past(content.info.created_ms, now_ms_);
  row_.info.title = content.info.title;
  for (const auto& each : content.messages) {
    if (row_.info.title.empty() && each.message.who == role::user)
      row_.info.title = title_of(each.message.text);
    if (auto error = check_message(each.message))
      return error;
  }
  if (auto error = check_count(content.messages.size()))
    return error;
  return add_unseen(db_, row_);
}

failure sqlite_import::add_messages() {
  const auto& all = ask_.content.messages;
  size_t bytes = 0;
  for (size_t count = 0; count < piece_rows && message_ < all.size(); ++count) {
    const auto& each = all[message_];
    bytes += bytes_of(each.message);
    if (count > 0 && bytes > piece_characters)
      break;
    if (auto error = add_message(db_, row_.key, message_, without_approvals(each.message),
                                 past(each.created_ms, now_ms_)))
      return error;
    ++message_;
  }
  row_.info.messages = message_;
  return {};
}

failure sqlite_import::add_turns() {
  const auto& all = ask_.content.turns;
  for (size_t count = 0; count < piece_rows && turn_ < all.size(); ++count) {
    auto turn = all[turn_++];
    if (turn.state == turn_state::running)
      turn.state = turn_state::interrupted; // no process runs it here
    if (auto error = write_turn(db_, row_.key, {turn_, false}, turn))
      return error;
  }
  return {};
}

failure sqlite_import::finish(conversation_info& out) {
  row_.info.updated_ms = past(ask_.content.info.updated_ms, now_ms_);
  // Turns of later saves come after the imported ones.
  row_.info.version = ask_.content.turns.size() + 1;
  if (auto error = show(db_, ask_.session_id, row_))
    return error;
  out = row_.info;
  return {};
}

} // namespace troupe
