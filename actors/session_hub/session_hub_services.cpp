// Whom sessions wait for: the MCP hub and the store of conversations. One monitor for all
// sessions, one question at a time.
#include <chrono>
#include <utility>

#include "actors/registry.hpp"
#include "actors/session_hub/session_hub_state.hpp"

namespace troupe {

namespace {

/// How often the store is looked at while somebody needs it, and looked for when it is gone.
constexpr std::chrono::milliseconds store_period{5000};
constexpr std::chrono::milliseconds search_period{250};

/// A store that says nothing for so long is not waited for.
constexpr std::chrono::seconds store_patience{30};

} // namespace

void session_hub_state::on_watched_down(const caf::down_msg& msg) {
  if (tools && msg.source == tools.address()) {
    tools = nullptr;
    for (auto& each : sessions)
      if (each.second.phase == session_phase::running)
        self->send(each.second.handle, atom::restart_v);
  } else if (store && msg.source == store.address()) {
    lost_store = msg.source; // its name may lead to it for a while
    store = nullptr;
    store_asked = false;
    store_alarm = never;
    tell_sessions({errc::store_failed, ""}, true);
    watch_store();
  }
}

// -- the MCP hub ----------------------------------------------------------------------------------

/// Sessions would wait for answers of a hub that is gone.
void session_hub_state::watch_tools() {
  auto current = whereis<mcp_hub_actor>(self->system(), mcp_hub_name);
  if (!current || current == tools)
    return;
  tools = current;
  self->monitor(tools);
}

// -- the store ------------------------------------------------------------------------------------

/// Returns whether any session may wait for the store.
bool session_hub_state::needs_store() const {
  return *config.turns > 0 || unsaved > 0 || ending > 0 || idle.woken() > 0;
}

/// At the begin of every turn, so it does nothing while the alarm is set.
void session_hub_state::watch_store() {
  if (!config.session->keeps || store_alarm != never || !needs_store())
    return;
  if (!store)
    find_store();
  auto delay = store ? store_period : search_period;
  store_alarm = now() + delay;
  self->delayed_send(self, delay, atom::expire_v);
}

/// Until the lost one had a successor, sessions went on asking it.
void session_hub_state::find_store() {
  auto current = whereis<conversation_store_actor>(self->system(), conversation_store_name);
  if (!current || current.address() == lost_store)
    return;
  store = current;
  self->monitor(store);
  if (std::exchange(lost_store, nullptr))
    tell_sessions({errc::store_failed, ""}, true);
}

void session_hub_state::look_at_store() {
  store_alarm = never;
  watch_store();
  if (!store || store_alarm == never)
    return;
  if (store_asked) {
    if (auto silent = now() - asked_at; silent >= store_patience)
      tell_sessions({errc::store_timeout, ""}, silent < store_patience + store_period);
    return;
  }
  store_asked = true;
  asked_at = now();
  self->request(store, caf::infinite, atom::status_v)
      .then([this](const store_status& status) { on_store_status(status); },
            [this](const caf::error&) { store_asked = false; });
}

void session_hub_state::on_store_status(const store_status& status) {
  store_asked = false;
  if (!status.error && unsaved > 0)
    tell_sessions({}, false);
}

/// What they asked of the store will not be answered; or, without an error, what is unsaved can be
/// saved now. @param also_idle those, too, that no turn runs in: their last save may be under way
void session_hub_state::tell_sessions(const failure& why, bool also_idle) {
  for (auto& [id, where] : sessions) {
    auto waits = where.phase != session_phase::idle || where.place->woken || also_idle;
    if (where.phase == session_phase::unsaved || (why && waits))
      self->send(where.handle, atom::save_v, why);
  }
}

} // namespace troupe
