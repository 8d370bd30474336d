#include "actors/session_hub/session_hub_shutdown.hpp"

#include <algorithm>
#include <utility>

#include "actors/session_hub/session_hub_state.hpp"

namespace troupe {

caf::result<atom::done> session_hub_shutdown::on_drain(caf::timespan limit) {
  hub_.refuse_waiting(errc::shutting_down);
  const auto until = hub_.now() + limit;
  if (!std::exchange(draining_, true) || (!aborting_ && until < limit_)) {
    limit_ = until;
    hub_.self->delayed_send(hub_.self, limit, atom::expire_v);
  }
  if (hub_.unsaved > 0) // the store may work again, and was not asked since
    hub_.services.tell_sessions({}, false);
  drained_.push_back(hub_.self->make_response_promise<atom::done>());
  auto answer = drained_.back();
  look_if_drained();
  return answer;
}

/// Waits also until the sessions have saved the rest, but not for long: the store may be lost.
void session_hub_shutdown::look_if_drained() {
  if (!draining_ || *hub_.config.turns > 0 || drained_.empty())
    return;
  if (hub_.unsaved == 0 && hub_.ending == 0)
    return all_drained();
  if (std::exchange(aborting_, true))
    return;
  limit_ = std::min(limit_, hub_.now()) + abort_grace;
  hub_.self->delayed_send(hub_.self, abort_grace, atom::expire_v);
}

void session_hub_shutdown::all_drained() {
  for (auto& each : std::exchange(drained_, {}))
    each.deliver(atom::done_v);
}

void session_hub_shutdown::on_timer() {
  if (!drained_.empty() && limit_ <= hub_.now())
    on_limit();
}

void session_hub_shutdown::on_limit() {
  if (std::exchange(aborting_, true))
    return all_drained();
  for (auto& each : hub_.sessions)
    if (each.second.phase == session_phase::running)
      hub_.self->send<caf::message_priority::high>(each.second.handle,
                                                   abort_turn{each.first, "", "shutdown"});
  limit_ = hub_.now() + abort_grace;
  hub_.self->delayed_send(hub_.self, abort_grace, atom::expire_v);
}

} // namespace troupe
