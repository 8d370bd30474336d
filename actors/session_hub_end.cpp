// How sessions end: after their idle time, by a crash, at shutdown.
#include <utility>

#include "actors/registry.hpp"
#include "actors/session_hub_state.hpp"
#include "actors/urgent.hpp"

namespace troupe {

namespace {

/// After the drain limit: how long the aborted turns may take to send their last events.
constexpr std::chrono::seconds abort_grace{2};

} // namespace

/// The sessions are not linked: a link is an entry in this actor's list of attachables, which
/// every monitor and demonitor of it walks. So each way to end passes here.
void session_hub_state::end_sessions() {
  for (auto& each : sessions)
    exit_now(each.second.handle, self->address(), caf::exit_reason::user_shutdown);
}

// -- idle sessions --------------------------------------------------------------------------------

// The hub ends them, not they themselves: a turn that is on its way to a session can so not meet
// its end.

void session_hub_state::watch_idle() {
  if (idle.empty() || std::exchange(watching_idle, true))
    return;
  self->delayed_send(self, due(idle.front()) - now(), atom::expire_v);
}

session_hub_state::clock::time_point session_hub_state::due(const std::string& id) {
  return sessions.find(id)->second.idle_since + config.session->idle_timeout;
}

void session_hub_state::end_idle() {
  watching_idle = false;
  while (!idle.empty() && due(idle.front()) <= now())
    expire(sessions.find(idle.front()));
  watch_idle();
}

// -- crashes --------------------------------------------------------------------------------------

void session_hub_state::on_down(const caf::down_msg& msg) {
  auto known = by_address.find(msg.source);
  if (known == by_address.end()) {
    if (!waiting.drop(msg.source))
      on_tools_down(msg);
    return;
  }
  auto id = known->second;
  auto found = sessions.find(id);
  auto was_running = found->second.running;
  auto client = caf::actor_cast<subscriber_actor>(found->second.client);
  forget(found);
  if (!was_running)
    return;
  refuse(client, errc::internal); // unless it has heard of the session
  turn_over(id);
}

/// One monitor for all sessions: they would wait for answers of a hub that is gone.
void session_hub_state::watch_tools() {
  auto current = whereis<mcp_hub_actor>(self->system(), mcp_hub_name);
  if (!current || current == tools)
    return;
  tools = current;
  self->monitor(tools);
}

void session_hub_state::on_tools_down(const caf::down_msg& msg) {
  if (!tools || msg.source != tools.address())
    return;
  tools = nullptr;
  for (auto& each : sessions)
    if (each.second.running)
      self->send(each.second.handle, atom::restart_v);
}

// -- shutdown -------------------------------------------------------------------------------------

caf::result<atom::done> session_hub_state::on_drain(caf::timespan limit) {
  auto begun = std::exchange(draining, true);
  refuse_waiting();
  if (running == 0)
    return atom::done_v;
  if (!begun) {
    drain_limit = now() + limit;
    self->delayed_send(self, limit, atom::expire_v);
  }
  drained.push_back(self->make_response_promise<atom::done>());
  return drained.back();
}

void session_hub_state::all_drained() {
  for (auto& each : std::exchange(drained, {}))
    each.deliver(atom::done_v);
}

void session_hub_state::on_timer() {
  end_idle();
  if (draining && running > 0 && drain_limit <= now())
    on_drain_limit();
}

void session_hub_state::on_drain_limit() {
  if (std::exchange(aborting, true))
    return all_drained();
  for (auto& each : sessions)
    if (each.second.running)
      self->send<caf::message_priority::high>(each.second.handle,
                                              abort_turn{each.first, "", "shutdown"});
  drain_limit = now() + abort_grace;
  self->delayed_send(self, abort_grace, atom::expire_v);
}

} // namespace troupe
