// The start of a child process, on the one thread that starts them.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "transport/child/child_spawn.hpp"

namespace troupe {

/// An ordered start. Looking up, forking and executing a program can take a while, and many starts
/// at once take longer; no loop waits for it. The caller watches the pipe `start` and then takes
/// the process. Any thread.
class child_start {
public:
  /// Orders the start, after earlier orders.
  /// @param its the child's ends of its pipes; closed once the start is over
  /// @param made untouched on failure
  /// @returns server_start_failed if there is no thread for it, or none
  static failure order(child_command command, child_pipes its, std::shared_ptr<child_start>& made);

  child_start(child_command command, child_pipes its);

  /// Returns the process; from now on the caller must kill and reap it. A process that does not
  /// exist yet is never started. One that is about to execute its program is killed and reaped by
  /// the starting thread: call this when the program runs, or when it is no longer wanted. Does not
  /// block.
  spawned_child take();

  /// Starts the program, unless take() was called. On the starting thread only.
  /// @returns a process that was taken back and killed but does not end, or none
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
  std::atomic<pid_t> under_way_{0}; ///< 0: no process is being started
  spawned_child made_;
};

} // namespace troupe
