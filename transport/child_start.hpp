// The start of a child process, on the one thread that starts them.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "transport/child_spawn.hpp"

namespace troupe {

/// A start that has been ordered. Looking a program up, forking and executing can take a while, and
/// many starts at once take longer still; no loop waits for it. Whoever ordered it watches the
/// pipe `start` and then takes the process. Any thread.
class child_start {
public:
  /// Orders the start, after those ordered before.
  /// @param its the child's ends of its pipes; closed once the start is over
  static std::shared_ptr<child_start> order(child_command command, child_pipes its);

  child_start(child_command command, child_pipes its);

  /// Returns the process, which is the caller's from now on, to kill and to reap. One that does not
  /// exist yet never will or is killed and reaped at once: call it when the program runs, or when
  /// nobody wants it any more. Does not block.
  spawned_child take();

  /// Starts it, if it is still wanted. On the starting thread only.
  void run();

private:
  void keep(spawned_child made);

  child_command command_;
  child_pipes its_;
  std::vector<std::string> environment_;
  std::mutex mutex_;
  bool taken_ = false;
  spawned_child made_;
};

} // namespace troupe
