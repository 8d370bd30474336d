// Which saves are refused.
#include <algorithm>
#include <utility>
#include <vector>

#include "messages/chat/session_id.hpp"
#include "transport/postgres/postgres_nodes.hpp"
#include "transport/postgres/postgres_saves.hpp"
#include "transport/store/kept_bytes.hpp"
#include "transport/store/save_checks.hpp"

namespace troupe {

/// Dead nodes lose their chats. All savers look at them in one order: else two of them, each with a
/// batch of such chats, wait for each other.
failure postgres_saver::look_at_holders(int64_t now_ms, std::vector<save_answer>& out) {
  std::vector<std::pair<postgres_chat*, save_answer*>> held;
  for (auto& each : out)
    if (each.claim == claim_state::held_elsewhere)
      held.emplace_back(&chats_.at(each.session_id).row, &each);
  std::ranges::sort(held, {}, [](const auto& each) {
    return std::pair{each.first->fence.node, each.first->key};
  });
  for (const auto& [row, answer] : held)
    if (auto error = look_at_holder(*row, now_ms, *answer))
      return error;
  for (const auto& [row, answer] : held)
    if (answer->claim == claim_state::stale)
      chats_.erase(answer->session_id);
  return {};
}

/// Where the node is dead, the session has to load its chat again.
failure postgres_saver::look_at_holder(const postgres_chat& row, int64_t now_ms, save_answer& out) {
  bool dead = false;
  if (auto error = is_dead_node(db_, *self_.lease, row.fence.node, dead); error || !dead)
    return error;
  uint64_t count = 0;
  queue_burial(db_, row.fence.node);
  if (auto error = interrupt_turns(db_, {row.fence.node, row.key}, now_ms, count))
    return error;
  self_.counts->takeovers += count;
  out.claim = claim_state::stale;
  out.error = claim_fault(out.claim);
  out.fence.node = 0;
  return {};
}

/// Puts the reason why a save must be refused into the answer. @return a failure of the store
failure postgres_saver::refusal_of(const known_postgres_chat& chat, const save_chat& ask,
                                   bool& anew, save_answer& out) {
  const auto& row = chat.row;
  out = {ask.session_id, ask.number, 0, chat.fault, claim_state::none, row.fence};
  if (out.error)
    return {};
  const bool has_turn =
      chat.is_last(ask.turn) && chat.turn_fence == chat_fence{me_, row.fence.epoch};
  const auto how = judge(ask.claim, {row.info.version, row.fence, has_turn}, me_, anew);
  out.error = claim_fault(how);
  if (out.error)
    out.claim = how;
  if (!out.error)
    out.error = check_save(row.info, ask, chat.is_last(ask.turn));
  // A save that creates a chat may be done already although its answer was lost: then its turn
  // exists.
  if (!out.error && ask.creates && row.key != 0 && !chat.is_last(ask.turn))
    out.error = {errc::conversation_changed, "the chat was imported or branched meanwhile"};
  if (out.error)
    return {};
  auto error = check_quota(row, ask);
  if (error.code != errc::quota_used_up)
    return error;
  out.error = std::move(error);
  return {};
}

/// Only the beginning of a turn is refused: what a running one brings is kept in any case.
failure postgres_saver::check_quota(const postgres_chat& row, const save_chat& ask) {
  if (!ask.begins || !owners_.quota().any())
    return {};
  int64_t cut_bytes = 0;
  if (ask.keep < row.info.messages) {
    postgres_rows rows;
    if (auto error = db_.ask("SELECT coalesce(sum(octet_length(text) + octet_length(body) + "
                             "octet_length(message_id) + $3), 0)::bigint FROM messages "
                             "WHERE conversation = $1 AND place >= $2",
                             postgres_values{row.key, ask.keep, kept_row_bytes}, rows))
      return error;
    rows.next();
    cut_bytes = rows.integer(0);
  }
  return owners_.check(owner_of(ask.session_id),
                       {row.key == 0 ? 1 : 0, static_cast<int64_t>(kept_bytes(ask)) - cut_bytes});
}

} // namespace troupe
