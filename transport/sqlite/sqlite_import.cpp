#include "transport/sqlite/sqlite_import.hpp"

#include <algorithm>

#include "messages/chat/session_id.hpp"
#include "transport/sqlite/rows/sqlite_messages.hpp"
#include "transport/sqlite/rows/sqlite_pieces.hpp"
#include "transport/sqlite/rows/sqlite_turns.hpp"
#include "transport/store/imported.hpp"
#include "transport/store/kept_bytes.hpp"
#include "transport/store/kept_message.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

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
  bytes_ = books_.totals.quota().any() ? kept_bytes(content) : 0;
  if (auto error = check_quota())
    return error;
  row_.overrides = stored::text_of(content.overrides);
  row_.info.created_ms = imported_time(content.info.created_ms, now_ms_);
  row_.info.title = imported_title(content);
  for (const auto& each : content.messages)
    if (auto error = check_message(each.message))
      return error;
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
    chat_message made;
    if (auto error = add_message(books_.db, row_, message_, imported_message(each.message, made),
                                 imported_time(each.created_ms, now_ms_)))
      return error;
    ++message_;
  }
  row_.info.messages = message_;
  return {};
}

failure sqlite_import::add_turns() {
  const auto& all = ask_.content.turns;
  for (size_t count = 0; count < piece_rows && turn_ < all.size(); ++count) {
    const auto turn = imported_turn(all[turn_++]);
    row_.bytes += kept_bytes(turn);
    if (auto error = write_turn(books_.db, row_.key, {turn_, false}, turn))
      return error;
  }
  return {};
}

failure sqlite_import::finish(conversation_info& out) {
  row_.info.updated_ms = imported_time(ask_.content.info.updated_ms, now_ms_);
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
