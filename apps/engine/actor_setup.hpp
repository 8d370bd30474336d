// The actor system's configuration: the one place with CAF's option names.
#pragma once

#include <string>

#include <caf/actor_system_config.hpp>

namespace troupe {

class shards;

/// Configures CAF: our message types, and who runs the actors.
struct actor_setup : caf::actor_system_config {
  /// @param scheduler "loop", "sharing" or "stealing"
  /// @param on run the actors with "loop"; outlive the system
  actor_setup(const std::string& scheduler, shards& on);
};

} // namespace troupe
