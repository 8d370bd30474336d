// Restarts what crashed, as OTP does: in bounds, then gives up.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include <caf/actor.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/local_actor.hpp>

#include "messages/interfaces/interfaces.hpp"
#include "messages/ports/log_port.hpp"

namespace troupe {

/// One supervised actor (OTP's child spec; restart is always "permanent").
struct child_spec {
  caf::atom_value name; ///< under which it is registered while it runs
  /// Spawns it, linked to the supervisor it is given.
  std::function<caf::strong_actor_ptr(caf::local_actor&)> start;
  bool drops_queue = false; ///< at the end what is queued for it is dropped, not done
};

/// Returns the description of a long-lived actor that `spawn` makes for its parent.
template <class Spawn>
child_spec make_child(caf::atom_value name, Spawn spawn) {
  return {name, [spawn](caf::local_actor& parent) {
            return caf::actor_cast<caf::strong_actor_ptr>(spawn(parent));
          }};
}

/// How many restarts are taken for an accident.
struct restart_intensity {
  size_t restarts = 5;                       ///< more of them...
  std::chrono::milliseconds period{10'000};  ///< ...within this end the supervisor and all children
  std::chrono::milliseconds first_delay{50}; ///< before a restart; doubles within the period
};

/// Starts the children in order and restarts each that ends for any other reason than its own
/// shutdown. Ends, and the children with it, by an exit message, or with the child's reason when
/// restarts do not help.
/// @param log is told of each crash; nullptr: nobody is
caf::actor spawn_supervisor(caf::actor_system& system, std::vector<child_spec> children,
                            restart_intensity intensity = {}, std::shared_ptr<log_port> log = {});

} // namespace troupe
