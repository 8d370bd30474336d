// The actor system's configuration: the one place with CAF's option names.
#pragma once

#include <string>

#include <caf/actor_system_config.hpp>

namespace troupe {

class shards;

/// Configures CAF: our message types and the scheduler.
struct actor_setup : caf::actor_system_config {
  /// @param scheduler "loop", "sharing" or "stealing"
  /// @param on run the actors with "loop"; outlive the system
  actor_setup(const std::string& scheduler, shards& on);
};

/// Its destructor makes the loops' threads release CAF's logger. A thread that spawns an actor
/// shares the logger, and ~actor_system waits for the last such thread. It must be destroyed before
/// the system, and after every object whose handlers spawn.
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
