#include "transport/sqlite/sqlite_import.hpp"

#include <algorithm>

#include "messages/chat/session_id.hpp"
#include "transport/sqlite/rows/sqlite_messages.hpp"
#include "transport/sqlite/rows/sqlite_pieces.hpp"
#include "transport/sqlite/rows/sqlite_turns.hpp"
#include "transport/sqlite/rows/stored_json.hpp"

namespace troupe {

namespace {

/// Returns a time of an import; a missing or future time becomes now.
int64_t past(int64_t time_ms, int64_t now_ms) {
  return time_ms > 0 ? std::min(time_ms, now_ms) : now_ms;
}

/// Returns about as many bytes as the rows of a conversation will count.
uint64_t bytes_of(const conversation& content) {
  uint64_t out = 0;
  for (const auto& each : content.messages)
    out += bytes_of(each.message) + kept_row_bytes;
  for (const auto& each : content.turns)
    out += kept_bytes(each);
  return out;
}

bool waits_for_approval(const chat_message& message) {
  return std::ranges::any_of(message.tool_calls,
                             [](const auto& each) { return each.approval != call_approval{}; });
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
  if (auto error = need_free(books_.db, ask_.session_id))
    return error;
  bytes_ = books_.totals.quota().any() ? bytes_of(content) : 0;
  if (auto error = check_quota())
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
  return add_unseen(books_.db, row_);
}

failure sqlite_import::check_quota() {
  return books_.totals.check(owner_of(ask_.session_id),
                             {1, static_cast<int64_t>(std::max(bytes_, row_.bytes))});
}

failure sqlite_import::add_messages() {
  const auto& all = ask_.content.messages;
  size_t bytes = 0;
  for (size_t count = 0; count < piece_rows && message_ < all.size(); ++count) {
    const auto& each = all[message_];
    bytes += bytes_of(each.message);
    if (count > 0 && bytes > piece_characters)
      break;
    const auto created_ms = past(each.created_ms, now_ms_);
    auto error =
        waits_for_approval(each.message) // others are not copied: they may be very long
            ? add_message(books_.db, row_, message_, without_approvals(each.message), created_ms)
            : add_message(books_.db, row_, message_, each.message, created_ms);
    if (error)
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
    row_.bytes += kept_bytes(turn);
    if (turn.state == turn_state::running)
      turn.state = turn_state::interrupted; // no process runs it here
    if (auto error = write_turn(books_.db, row_.key, {turn_, false}, turn))
      return error;
  }
  return {};
}

failure sqlite_import::finish(conversation_info& out) {
  row_.info.updated_ms = past(ask_.content.info.updated_ms, now_ms_);
  if (auto error = books_.order.place_of(row_.info.updated_ms, now_ms_, row_.place))
    return error;
  // Turns of later saves come after the imported ones.
  row_.info.version = ask_.content.turns.size() + 1;
  if (auto error = show(books_.db, ask_.session_id, row_))
    return error;
  out = row_.info;
  return {};
}

} // namespace troupe
