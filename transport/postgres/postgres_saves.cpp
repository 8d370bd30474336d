#include "transport/postgres/postgres_saves.hpp"

#include <algorithm>

#include "messages/chat/session_id.hpp"
#include "transport/postgres/connection/postgres_errors.hpp"
#include "transport/store/conversation_title.hpp"

namespace troupe {

namespace {

constexpr size_t most_known_chats = 1024; ///< of half a KiB each
constexpr int most_tries = 3;
/// Rows of usage_days that nodes share out among themselves, for each owner, day and model.
constexpr uint64_t usage_parts = 16;

/// Returns whether the same may succeed after a look at what is there now.
bool may_try_again(const postgres_connection& db, const failure& why) {
  const auto& state = db.state();
  return is_of_connection(why, state) || state == rows_changed_state || state == "40P01" ||
         state == "40001";
}

} // namespace

failure postgres_saver::save_all(const std::vector<const save_chat*>& asks, int64_t now_ms,
                                 std::vector<save_answer>& out) {
  const bool own = !db_.in_transaction();
  for (int tries = 1;; ++tries) {
    out.clear();
    auto error = try_all(asks, now_ms, out);
    if (!error) {
      for (size_t i = 0; i < asks.size(); ++i)
        count(*asks[i], out[i]);
      return {};
    }
    const bool again = own && tries < most_tries && may_try_again(db_, error);
    batch_ = {};
    for (const auto* each : asks)
      chats_.erase(each->session_id);
    owners_.forget();
    if (own)
      db_.roll_back();
    if (!again)
      return error;
  }
}

void postgres_saver::count(const save_chat& ask, const save_answer& answer) const {
  auto& counts = *self_.counts;
  const bool asks = ask.creates && ask.claim.version == 0; // whether the chat is new
  if (answer.claim == claim_state::stale)
    counts.stale += asks ? 0 : 1;
  else if (answer.claim == claim_state::held_elsewhere)
    counts.held_elsewhere += asks ? 0 : 1;
  else if (answer.claim == claim_state::lost)
    ++counts.fenced;
  else if (ask.claim.takes && !answer.error)
    ++counts.claims;
}

failure postgres_saver::try_all(const std::vector<const save_chat*>& asks, int64_t now_ms,
                                std::vector<save_answer>& out) {
  if (auto error = find_all(asks))
    return error;
  const bool own = !db_.in_transaction();
  if (own)
    db_.begin();
  me_ = self_.lease->incarnation();
  owners_.begin_changes();
  bool any = false;
  for (const auto* each : asks) {
    if (auto error = take_up(*each, now_ms, out.emplace_back()))
      return error;
    any = any || !out.back().error;
  }
  if (auto error = look_at_holders(now_ms, out))
    return error;
  if (any)
    batch_.queue(db_, me_ % usage_parts);
  if (own)
    return db_.commit();
  return any ? db_.run() : failure{};
}

/// Reads the rows of the chats that are not known, all with one statement; also of those that are
/// to be made, since what is remembered of these is often out of date.
failure postgres_saver::find_all(const std::vector<const save_chat*>& asks) {
  if (chats_.size() + asks.size() > most_known_chats)
    chats_.clear();
  std::vector<std::string_view> unknown;
  for (const auto* each : asks)
    if (const auto known = chats_.find(each->session_id); known == chats_.end() || each->creates)
      unknown.push_back(each->session_id);
    else
      known->second.fresh = false;
  if (unknown.empty())
    return {};
  std::vector<found_chat> found;
  if (auto error = find_chats(db_, unknown, found))
    return error;
  for (size_t i = 0; i < unknown.size(); ++i) {
    auto& [row, turn, counted, fence, fault] = found[i];
    const bool exists = row.key != 0;
    chats_.insert_or_assign(std::string{unknown[i]},
                            known_postgres_chat{std::move(row), std::move(turn.turn_id),
                                                turn.started_ms, counted, fence, exists,
                                                std::move(fault)});
  }
  return {};
}

failure postgres_saver::look(const std::string& session_id, chat_record& out, bool& exists) {
  save_chat any;
  any.session_id = session_id;
  forget(session_id);
  if (auto error = find_all({&any}))
    return error;
  const auto& row = chats_.at(session_id).row;
  exists = row.key != 0;
  out.fence = row.fence;
  return {};
}

failure postgres_saver::take_up(const save_chat& ask, int64_t now_ms, save_answer& out) {
  auto* chat = &chats_.at(ask.session_id);
  bool anew = false;
  if (auto error = refusal_of(*chat, ask, anew, out))
    return error;
  if (out.error && !chat->fresh) { // what is remembered may be wrong, and refuses nobody
    chats_.erase(ask.session_id);
    if (auto error = find_all({&ask}))
      return error;
    chat = &chats_.at(ask.session_id);
    if (auto error = refusal_of(*chat, ask, anew, out))
      return error;
  }
  if (out.error)
    return {};
  if (auto error = write(*chat, ask, now_ms, anew))
    return error;
  out.version = chat->row.info.version;
  out.fence = chat->row.fence;
  out.claim = out.fence.node == me_ ? claim_state::held : claim_state::none;
  return {};
}

failure postgres_saver::write(known_postgres_chat& chat, const save_chat& ask, int64_t now_ms,
                              bool anew) {
  auto& row = chat.row;
  const auto owner = owner_of(ask.session_id);
  const bool is_new = row.key == 0;
  const auto bytes_before = row.bytes;
  chat_change change{{}, row.info.version, row.fence};
  if (auto error = is_new ? begin_row(row, ask, now_ms) : cut(row, ask.keep))
    return error;
  give_title(row.info.title, ask.more);
  row.info.updated_ms = now_ms;
  ++row.info.version;
  if (auto error = owners_.next_place(owner, now_ms, row.place))
    return error;
  constexpr uint64_t us_per_ms = 1000; // (node, epoch) is given once, see chat_fence
  if (anew)
    row.fence = {me_, std::max(row.fence.epoch + 1, static_cast<uint64_t>(now_ms) * us_per_ms)};
  for (const auto& message : ask.more)
    batch_.add_message(row, row.info.messages++, message, now_ms);
  if (!ask.turn.turn_id.empty())
    if (auto error = write_turn(chat, ask, now_ms))
      return error;
  for (const auto& each : ask.events)
    batch_.add_event(row.key, each);
  chat.has_events = chat.has_events || !ask.events.empty();
  if (ask.claim.gives)
    row.fence.node = 0;
  change.row = row;
  batch_.add_chat(std::move(change));
  owners_.add(owner, {is_new ? 1 : 0, static_cast<int64_t>(row.bytes - bytes_before)});
  return {};
}

failure postgres_saver::begin_row(postgres_chat& row, const save_chat& ask, int64_t now_ms) {
  if (auto error = owners_.number_of(owner_of(ask.session_id), row.owner))
    return error;
  row.info.id = public_id(ask.session_id);
  row.info.created_ms = now_ms;
  return owners_.next_key(row.key);
}

/// Cuts off the messages behind the first `keep`, at once: how many bytes they were must be known.
failure postgres_saver::cut(postgres_chat& row, uint64_t keep) {
  if (keep >= row.info.messages)
    return {};
  postgres_rows rows;
  db_.add("DELETE FROM search_rows WHERE conversation = $1 AND place >= $2",
          postgres_values{row.key, keep});
  if (auto error = db_.ask("WITH gone AS (DELETE FROM messages WHERE conversation = $1 "
                           "AND place >= $2 RETURNING octet_length(text) + octet_length(body) + "
                           "octet_length(message_id) + $3 AS bytes) "
                           "SELECT coalesce(sum(bytes), 0)::bigint FROM gone",
                           postgres_values{row.key, keep, kept_row_bytes}, rows))
    return error;
  rows.next();
  row.bytes -= std::min(row.bytes, rows.natural(0));
  row.info.messages = keep;
  return {};
}

failure postgres_saver::write_turn(known_postgres_chat& chat, const save_chat& ask,
                                   int64_t now_ms) {
  const auto key = chat.row.key;
  const auto& turn = ask.turn;
  const bool known = chat.is_last(turn);
  bool exists = known;
  bool counted = known && chat.turn_counted; // a repeated save must not be counted again
  // A turn that begins is new, and nobody asks for it.
  const bool begins = ask.begins || (ask.claim.takes && turn.state == turn_state::running);
  if (!known && !chat.turn_id.empty() && !begins)
    if (auto error = find_turn(key, turn, exists, counted))
      return error;
  chat.row.bytes += exists ? 0 : kept_row_bytes;
  const bool counts = !ask.report.turn_id.empty() && !counted;
  counted = counted || counts;
  if (chat.has_events) {
    const bool stay = turn.resumable &&
                      (turn.state == turn_state::running || turn.state == turn_state::interrupted);
    // Events of an earlier turn that had the same id go, too.
    db_.add("DELETE FROM events WHERE conversation = $1 AND (turn_id <> $2 OR EXISTS (SELECT 1 "
            "FROM turns WHERE conversation = $1 AND turn_id = $2 AND started <> $3))",
            postgres_values{key, stay ? std::string_view{turn.turn_id} : std::string_view{},
                            turn.started_ms});
  }
  batch_.add_turn(chat.row, turn, chat.row.info.version, counted);
  if (counts)
    batch_.usage().add(chat.row.owner, turn.ended_ms > 0 ? turn.ended_ms : now_ms, ask.report);
  chat.turn_id = turn.turn_id;
  chat.turn_started_ms = turn.started_ms;
  chat.turn_counted = counted;
  chat.turn_fence = chat.row.fence;
  chat.has_events = chat.has_events && turn.resumable;
  return {};
}

failure postgres_saver::find_turn(int64_t conversation, const turn_record& turn, bool& exists,
                                  bool& counted) {
  postgres_rows rows;
  auto error = db_.ask("SELECT counted FROM turns "
                       "WHERE conversation = $1 AND turn_id = $2 AND started = $3",
                       postgres_values{conversation, turn.turn_id, turn.started_ms}, rows);
  exists = !error && rows.next();
  counted = exists && rows.integer(0) != 0;
  return error;
}

} // namespace troupe
