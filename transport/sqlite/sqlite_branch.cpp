#include "transport/sqlite/sqlite_branch.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "messages/chat/session_id.hpp"
#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"
#include "transport/sqlite/rows/sqlite_messages.hpp"
#include "transport/sqlite/rows/sqlite_pieces.hpp"
#include "transport/sqlite/rows/sqlite_turns.hpp"
#include "transport/store/silent_answers.hpp"

namespace troupe {

failure sqlite_branch::piece(bool& more, conversation_info& out) {
  more = true;
  if (auto error = made_.key == 0 ? begin() : check_source())
    return error;
  if (made_.info.messages < count_)
    return copy_messages(made_.info.messages);
  bool turns_left = has_turns_;
  if (turns_left)
    if (auto error = copy_turns(turns_left))
      return error;
  more = turns_left;
  return more ? failure{} : finish(out);
}

failure sqlite_branch::begin() {
  if (auto error = need_conversation(books_.db, ask_.session_id, ask_.if_version, from_))
    return error;
  count_ = from_.info.messages;
  if (!ask_.message_id.empty())
    if (auto error = count_up_to(books_.db, from_, ask_.message_id, count_))
      return error;
  if (count_ == 0 && !ask_.message_id.empty())
    return {errc::request_invalid,
            fmt::format("the conversation has no message '{}'", ask_.message_id)};
  if (auto error = check_target())
    return error;
  if (auto error = estimate())
    return error;
  made_.overrides = from_.overrides;
  made_.info.title = ask_.title.empty() ? from_.info.title : ask_.title;
  made_.info.created_ms = now_ms_;
  sqlite_query turns{books_.db, "SELECT 1 FROM turns WHERE conversation = ?1 LIMIT 1", from_.key};
  has_turns_ = turns.next();
  if (auto error = turns.error())
    return error;
  return add_unseen(books_.db, made_);
}

failure sqlite_branch::check_target() const {
  if (owner_of(ask_.to) != owner_of(ask_.session_id))
    return {errc::request_invalid, "a branch belongs to the owner of its conversation"};
  return need_free(books_.db, ask_.to);
}

/// The size of a whole copy is known at once; of a part the first piece is counted, and the rest is
/// looked at between the pieces.
failure sqlite_branch::estimate() {
  if (!books_.totals.quota().any())
    return {};
  bytes_ = from_.bytes;
  if (count_ < from_.info.messages) {
    const auto first = message_key(from_.key, 0);
    const auto last = message_key(from_.key, static_cast<int64_t>(count_));
    auto end = last;
    int64_t counted = 0;
    if (auto error = find_piece(books_.db, first, last, end))
      return error;
    if (auto error = count_bytes(books_.db, first, end, counted))
      return error;
    bytes_ = static_cast<uint64_t>(counted);
  }
  return check_quota();
}

failure sqlite_branch::check_quota() {
  return books_.totals.check(owner_of(ask_.to),
                             {1, static_cast<int64_t>(std::max(bytes_, made_.bytes))});
}

failure sqlite_branch::check_source() {
  sqlite_query row{books_.db, "SELECT messages FROM conversations WHERE id = ?1 AND owner = ?2",
                   from_.key, from_.owner};
  const bool whole = row.next() && row.natural(0) >= count_ && !cut_;
  if (auto error = row.error())
    return error;
  if (whole)
    return {};
  return {errc::conversation_changed, "messages were cut off while they were copied; try again"};
}

failure sqlite_branch::copy_messages(uint64_t& done) {
  const auto first = message_key(from_.key, static_cast<int64_t>(done));
  const auto last = message_key(from_.key, static_cast<int64_t>(count_));
  auto end = last;
  if (auto error = find_piece(books_.db, first, last, end))
    return error;
  if (auto error = troupe::copy_messages(books_.db, first, end, made_))
    return error;
  done += static_cast<uint64_t>(end - first);
  if (!has_turns_)
    return {};
  sqlite_query ids{books_.db, "SELECT message_id FROM messages WHERE id >= ?1 AND id < ?2", first,
                   end};
  while (ids.next())
    message_ids_.insert(ids.text(0));
  if (auto error = ids.error())
    return error;
  sqlite_query silent{
      books_.db, "SELECT body FROM messages WHERE id >= ?1 AND id < ?2 AND instr(body, ?3) > 0",
      first, end, silent_answer};
  while (silent.next())
    add_silent_ids(silent.text(0), silent_ids_);
  return silent.error();
}

failure sqlite_branch::copy_turns(bool& more) {
  std::vector<std::string> found;
  size_t looked = 0;
  const auto after = last_turn_;
  sqlite_query rows{books_.db,
                    "SELECT turn_id, message_id, json_quote(message_id) FROM turns "
                    "WHERE conversation = ?1 "
                    "AND turn_id > ?2 ORDER BY turn_id LIMIT ?3",
                    from_.key, after, piece_rows};
  for (; rows.next(); ++looked) {
    last_turn_ = rows.text(0);
    if (message_ids_.contains(rows.text(1)) || silent_ids_.contains(rows.text(2)))
      found.push_back(last_turn_);
  }
  if (auto error = rows.error())
    return error;
  more = looked == piece_rows;
  for (const auto& id : found)
    if (auto error = copy_turn(books_.db, from_.key, made_, id))
      return error;
  return {};
}

failure sqlite_branch::finish(conversation_info& out) {
  if (auto error = books_.order.next(now_ms_, made_.place))
    return error;
  made_.info.updated_ms = now_ms_;
  made_.info.version = from_.info.version + 1; // later turns come after the copied ones
  if (auto error = show(books_.db, ask_.to, made_))
    return error;
  out = made_.info;
  return {};
}

} // namespace troupe
