#include "messages/store/chat_claim.hpp"

namespace troupe {

namespace {

bool is_same(const chat_claim& claim, const stored_claim& now) {
  return claim.version == now.version && claim.fence.epoch == now.fence.epoch;
}

claim_state judge_taking(const chat_claim& claim, const stored_claim& now, uint64_t me,
                         bool& anew) {
  const bool is_free = now.fence.node == 0;
  const bool is_mine = now.fence.node == me;
  if (now.has_turn && (is_mine || is_free)) {
    anew = is_free && !claim.gives; // the turn is over, and the next one begins with its last save
    return claim_state::held;
  }
  anew = true;
  if (!is_free && !is_mine)
    return claim_state::held_elsewhere;
  const bool may = is_free || now.fence == claim.fence;
  return may && is_same(claim, now) ? claim_state::held : claim_state::stale;
}

} // namespace

std::string to_string(claim_state how) {
  switch (how) {
  case claim_state::none:
    return "none";
  case claim_state::held:
    return "held";
  case claim_state::stale:
    return "stale";
  case claim_state::held_elsewhere:
    return "foreign";
  case claim_state::lost:
    return "lost";
  }
  return "unknown";
}

failure claim_fault(claim_state how) {
  switch (how) {
  case claim_state::stale:
    return {errc::conversation_changed, "another server has changed this chat; load it again"};
  case claim_state::held_elsewhere:
    return {errc::session_busy, "another server runs a turn of this chat; wait or stop it first"};
  case claim_state::lost:
    return {errc::turn_lost, ""};
  case claim_state::none:
  case claim_state::held:
    break;
  }
  return {};
}

claim_state judge(const chat_claim& claim, const stored_claim& now, uint64_t me, bool& anew) {
  anew = false;
  if (claim.takes)
    return judge_taking(claim, now, me, anew);
  const auto& fence = claim.fence;
  if (fence.node != 0) { // the chat may be free: then the save that gave it is sent again
    const bool unclaimed = now.fence.node == 0 || now.fence.node == me;
    const bool holds = fence.node == me && unclaimed && now.fence.epoch == fence.epoch;
    return now.version != 0 && holds ? claim_state::held : claim_state::lost;
  }
  if (now.fence.node != 0)
    return claim_state::held_elsewhere;
  return claim.version == 0 || is_same(claim, now) ? claim_state::held : claim_state::stale;
}

} // namespace troupe
