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

/// When it dies, the loops let go of CAF's logger: a request's handler that spawned has made its
/// loop's thread share it, and ~actor_system waits for the last such thread. It dies before the
/// system, and after all whose handlers spawn.
class loops_without_logger {
public:
  /// @param of outlive it
  explicit loops_without_logger(shards& of) : of_{of} {}
  ~loops_without_logger();
  loops_without_logger(const loops_without_logger&) = delete;
  loops_without_logger& operator=(const loops_without_logger&) = delete;

private:
  shards& of_;
};

} // namespace troupe
