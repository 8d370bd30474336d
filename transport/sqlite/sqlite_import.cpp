#include "transport/sqlite/sqlite_import.hpp"

#include <algorithm>

#include "messages/chat/session_id.hpp"
#include "transport/sqlite/rows/sqlite_messages.hpp"
#include "transport/sqlite/rows/sqlite_pieces.hpp"
#include "transport/sqlite/rows/sqlite_turns.hpp"
#include "transport/store/kept_bytes.hpp"
#include "transport/store/piece_size.hpp"
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
  if (auto error = intake_.begin(row_.info))
    return error;
  return add_unseen(books_.db, row_);
}

failure sqlite_import::check_quota() {
  return books_.totals.check(owner_of(ask_.session_id),
                             {1, static_cast<int64_t>(std::max(bytes_, row_.bytes))});
}

failure sqlite_import::add_messages() {
  const auto& all = ask_.content.messages;
  for (const auto end = end_of_piece(all, message_); message_ < end; ++message_) {
    const auto& each = all[message_];
    chat_message made;
    if (auto error = add_message(books_.db, row_, message_, intake_.message(each.message, made),
                                 intake_.time(each.created_ms)))
      return error;
  }
  row_.info.messages = message_;
  return {};
}

failure sqlite_import::add_turns() {
  const auto& all = ask_.content.turns;
  for (size_t count = 0; count < piece_rows && turn_ < all.size(); ++count) {
    const auto turn = intake_.turn(all[turn_++]);
    row_.bytes += kept_bytes(turn);
    if (auto error = write_turn(books_.db, row_.key, {turn_, intake_.is_counted(turn)}, turn))
      return error;
  }
  return {};
}

failure sqlite_import::finish(conversation_info& out) {
  row_.info.updated_ms = intake_.time(ask_.content.info.updated_ms);
  row_.place = intake_.place();
  if (auto error = row_.place != 0
                       ? books_.order.note(row_.place)
                       : books_.order.place_of(row_.info.updated_ms, now_ms_, row_.place))
    return error;
  row_.info.version = intake_.version();
  if (auto error = append_events(books_.db, row_.key, ask_.from.events))
    return error;
  if (auto error = show(books_.db, ask_.session_id, row_))
    return error;
  out = row_.info;
  return {};
}

} // namespace troupe
