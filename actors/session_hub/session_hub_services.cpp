#include "actors/session_hub/session_hub_services.hpp"

#include <utility>

#include "actors/registry.hpp"
#include "actors/session_hub/session_hub_state.hpp"

namespace troupe {

namespace {

/// How often the store is asked while a session may wait for it, and looked for while it is gone.
constexpr std::chrono::milliseconds store_period{5000};
constexpr std::chrono::milliseconds search_period{250};

/// Sessions do not wait for a store that is silent for this long.
constexpr std::chrono::seconds store_patience{30};

} // namespace

void session_hub_services::on_down(const caf::down_msg& msg) {
  if (tools_ && msg.source == tools_.address())
    on_tools_down();
  else if (store_ && msg.source == store_.address())
    on_store_down();
}

void session_hub_services::on_timer() {
  if (store_alarm_ <= hub_.now())
    look_at_store();
}

// -- the MCP hub ----------------------------------------------------------------------------------

/// Without the monitor, sessions would wait for answers of a hub that is gone.
void session_hub_services::watch_tools() {
  auto current = whereis<mcp_hub_for_callers>(hub_.self->system(), mcp_hub_name);
  if (!current || current == tools_)
    return;
  tools_ = current;
  hub_.self->monitor(tools_);
}

void session_hub_services::on_tools_down() {
  tools_ = nullptr;
  for (auto& each : hub_.sessions)
    if (each.second.phase == session_phase::running)
      hub_.self->send(each.second.handle, atom::restart_v);
}

// -- the store ------------------------------------------------------------------------------------

/// Returns whether any session may wait for the store.
bool session_hub_services::needs_store() const {
  return *hub_.config.turns > 0 || hub_.unsaved > 0 || hub_.ending > 0 || hub_.idle.woken() > 0;
}

/// Called at the begin of every turn, so it does nothing while the alarm is set.
void session_hub_services::watch_store() {
  if (!hub_.config.session->keeps || store_alarm_ != never || !needs_store())
    return;
  if (!store_)
    find_store();
  auto delay = store_ ? store_period : search_period;
  store_alarm_ = hub_.now() + delay;
  hub_.self->delayed_send(hub_.self, delay, atom::expire_v);
}

/// Sessions may have gone on asking the lost store until there was a successor: these are told
/// again.
void session_hub_services::find_store() {
  auto current = whereis<conversation_store_actor>(hub_.self->system(), conversation_store_name);
  if (!current || current.address() == lost_store_)
    return;
  store_ = current;
  hub_.self->monitor(store_);
  if (std::exchange(lost_store_, nullptr))
    tell_sessions({errc::store_failed, ""}, true);
}

void session_hub_services::on_store_down() {
  lost_store_ = store_.address(); // its name may lead to it for a while
  store_ = nullptr;
  store_asked_ = false;
  store_alarm_ = never;
  tell_sessions({errc::store_failed, ""}, true);
  watch_store();
}

void session_hub_services::look_at_store() {
  store_alarm_ = never;
  watch_store();
  if (!store_ || store_alarm_ == never)
    return;
  if (store_asked_) {
    if (auto silent = hub_.now() - asked_at_; silent >= store_patience)
      tell_sessions({errc::store_timeout, ""}, silent < store_patience + store_period);
    return;
  }
  store_asked_ = true;
  asked_at_ = hub_.now();
  hub_.self->request(store_, caf::infinite, atom::status_v)
      .then([this](const store_status& status) { on_store_status(status); },
            [this](const caf::error&) { store_asked_ = false; });
}

void session_hub_services::on_store_status(const store_status& status) {
  store_asked_ = false;
  if (!status.error && hub_.unsaved > 0)
    tell_sessions({}, false);
}

void session_hub_services::tell_sessions(const failure& why, bool also_idle) {
  for (auto& [id, where] : hub_.sessions) {
    auto waits = where.phase != session_phase::idle || where.place->woken || also_idle;
    if (where.phase == session_phase::unsaved || (why && waits))
      hub_.self->send(where.handle, atom::save_v, why);
  }
}

} // namespace troupe
