// The start of a child process, on the one thread that starts them.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "transport/child/child_spawn.hpp"

namespace troupe {

/// A start that has been ordered. Looking a program up, forking and executing can take a while, and
/// many starts at once take longer still; no loop waits for it. Whoever ordered it watches the
/// pipe `start` and then takes the process. Any thread.
class child_start {
public:
  /// Orders the start, after those ordered before.
  /// @param its the child's ends of its pipes; closed once the start is over
  /// @param made untouched on failure
  /// @returns server_start_failed if there is no thread for it, or none
  static failure order(child_command command, child_pipes its, std::shared_ptr<child_start>& made);

  child_start(child_command command, child_pipes its);

  /// Returns the process, which is the caller's from now on, to kill and to reap. One that does not
  /// exist yet never will, one that is about to execute its program is killed and reaped by the
  /// starting thread: call it when the program runs, or when nobody wants it any more. Does not
  /// block.
  spawned_child take();

  /// Starts it, if it is still wanted. On the starting thread only.
  /// @returns a process that nobody wants and that has been killed but does not end, or none
  spawned_child run();

private:
  bool begin();
  spawned_child keep(spawned_child made);

  child_command command_;
  child_pipes its_;
  std::vector<std::string> environment_;
  std::mutex mutex_;
  bool begun_ = false;
  bool taken_ = false;
  std::atomic<pid_t> under_way_{0}; ///< 0: there is no process yet, or no longer
  spawned_child made_;
};

} // namespace troupe
