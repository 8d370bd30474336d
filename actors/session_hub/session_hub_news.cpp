// Messages of sessions to their hub: a turn is over, all is saved, a session cannot end yet.
#include "actors/session_hub/session_hub_state.hpp"
#include "messages/chat/session_id.hpp"

namespace troupe {

/// Returns the session that sends this message, or end(). A crashed session is not known any more
/// when its end came first, and another session may have taken its place.
session_hub_state::sessions_map::iterator session_hub_state::sender_of(const std::string& id) {
  auto found = sessions.find(id);
  return found != sessions.end() && self->current_sender() == found->second.handle ? found
                                                                                   : sessions.end();
}

void session_hub_state::on_ended(const turn_ended& ended) {
  auto found = sender_of(ended.session_id);
  if (found == sessions.end() || found->second.phase != session_phase::running)
    return;
  found->second.client = nullptr;
  found->second.turn_id.clear();
  settle(found, ended.unsaved);
  turn_over(ended.session_id);
}

void session_hub_state::on_rounds(unseen_rounds& told) {
  const auto from = sender_of(told.session_id);
  if (from == sessions.end())
    return;
  const auto most = config.session->chats.max_hidden_bytes;
  rounds.keep(std::move(told), from->second.asked, most, now());
  tidy_rounds();
}

/// The message may cross a start_turn. Then the session runs a turn again, whose end tells more.
void session_hub_state::on_saved(const chat_saved& saved) {
  auto found = sender_of(saved.session_id);
  if (found == sessions.end() || found->second.phase == session_phase::running)
    return;
  settle(found, false);
  turn_may_begin(saved.session_id);
}

void session_hub_state::on_expire_refused(const expire_refused& refused) {
  auto found = sender_of(refused.session_id);
  if (found == sessions.end())
    return;
  settle(found, true);
  turn_may_begin(refused.session_id);
}

void session_hub_state::turn_may_begin(const std::string& id) {
  run_next(id);
  auto found = sessions.find(id);
  if (found != sessions.end() && found->second.phase != session_phase::ending)
    wake_held(id);
  shutdown.look_if_drained();
}

void session_hub_state::turn_over(const std::string& id) {
  --*config.turns;
  running.remove(owner_of(id));
  places.tell(owner_of(id));
  run_next(id);
  shutdown.look_if_drained();
}

} // namespace troupe
