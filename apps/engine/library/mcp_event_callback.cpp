#include "apps/engine/library/mcp_event_callback.hpp"

#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/urgent.hpp"
#include "apps/engine/library/blocking_request.hpp"
#include "apps/engine/library/hub_subscription.hpp"

namespace troupe {

namespace {

using mcp_watch_actor = mcp_subscriber_actor::extend<caf::reacts_to<atom::restart>>;

struct mcp_watch_state {
  static inline const char* name = "troupe.mcp_watch";

  explicit mcp_watch_state(mcp_watch_actor::pointer ptr) : watched{ptr} {}

  monitors watched;
};

mcp_watch_actor::behavior_type mcp_watch(mcp_watch_actor::stateful_pointer<mcp_watch_state> self,
                                         std::function<void(const mcp_event&)> deliver,
                                         watch_mcp how) {
  quiet(self);
  self->set_down_handler([self](caf::down_msg&) { subscribe_to_hub_later(self); });
  subscribe_to_hub(self, self->state.watched, how);
  return {
      [deliver = std::move(deliver)](const mcp_event& event) { deliver(event); },
      [self, how](atom::restart) { subscribe_to_hub(self, self->state.watched, how); },
  };
}

/// Ends the actor when it is destroyed.
struct mcp_watch_handle {
  mcp_watch_handle(caf::actor_system& in, mcp_watch_actor which)
      : system(in), actor(std::move(which)) {}
  ~mcp_watch_handle() {
    logger_guard guard;
    caf::scoped_actor self{system};
    exit_now(actor, self->address(), caf::exit_reason::user_shutdown);
    self->wait_for(actor);
  }
  mcp_watch_handle(const mcp_watch_handle&) = delete;
  mcp_watch_handle& operator=(const mcp_watch_handle&) = delete;

  caf::actor_system& system;
  mcp_watch_actor actor;
};

} // namespace

std::shared_ptr<void> spawn_mcp_event_callback(caf::actor_system& system,
                                               std::function<void(const mcp_event&)> deliver,
                                               const watch_mcp& how) {
  logger_guard guard;
  return std::make_shared<mcp_watch_handle>(system,
                                            system.spawn(mcp_watch, std::move(deliver), how));
}

} // namespace troupe
