// The part of a session hub that runs on one node of several.
#include "actors/session_hub/session_hub_state.hpp"

namespace troupe {

/// Returns why no turn may begin here now. In a cluster that is also an operator's wish, or that
/// the others may soon take this node for dead.
errc session_hub_state::unready() const {
  const auto* lease = config.session->lease.get();
  if (shutdown.begun() || (lease != nullptr && lease->drains()))
    return errc::shutting_down;
  return is_cut_off() ? errc::store_unreachable : errc::none;
}

bool session_hub_state::is_cut_off() const {
  return config.session->lease && !config.session->lease->serves();
}

/// The sessions know whether it is theirs.
void session_hub_state::on_node_lost(uint64_t incarnation) {
  for (auto& [id, where] : sessions)
    if (where.phase == session_phase::running)
      self->send(where.handle, atom::restart_v, incarnation);
}

busy_chats session_hub_state::busy_of(const find_busy_chats& ask) const {
  busy_chats out;
  for (const auto& id : ask.session_ids)
    if (const auto found = sessions.find(id);
        found != sessions.end() && found->second.phase != session_phase::idle)
      out.session_ids.push_back(id);
  return out;
}

} // namespace troupe
