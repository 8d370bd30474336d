// A child process on a loop: its three pipes, its end, and the end of everything it started.
//
//   start --> starting --> running --------------------------------> ended
//                 \            \-- close: stdin closed -> SIGTERM -> SIGKILL --^
//                  \-- the program cannot be executed -----------------------^
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "messages/errors.hpp"
#include "transport/child/child_spawn.hpp"
#include "transport/loop/loop.hpp"

namespace troupe {

/// How a child process ended.
struct child_end {
  failure start;    ///< set if the program was never executed; the rest is then empty
  int code = 0;     ///< exit status
  int signal = 0;   ///< the signal that ended it, or 0
  std::string text; ///< the same in words: "ended with exit status 3"
};

/// Gets the events of a child process; loop thread. Each call may destroy the process.
class child_listener {
public:
  virtual ~child_listener() = default;

  /// The program is being executed.
  virtual void child_started() = 0;

  /// One read of its stdout, at most 8 KiB (read_at_once()).
  virtual void child_wrote(std::string_view bytes) = 0;

  /// The process is gone and reaped, with its whole process group. Exactly once, after all output.
  virtual void child_ended(child_end end) = 0;
};

/// How patient close() is, and for how long a process may live without its stdout.
struct child_graces {
  std::chrono::milliseconds after_input{2000}; ///< from the end of stdin to SIGTERM
  std::chrono::milliseconds after_term{2000};  ///< from SIGTERM to SIGKILL
  std::chrono::milliseconds after_kill{1500};  ///< from SIGKILL until the end is reported anyway
  std::chrono::milliseconds mute{100};         ///< from a closed stdout or stdin to SIGKILL
};

/// One child process, leader of its own process group. Its end is noticed at once (pidfd), also
/// after kill -9; its descendants in the group die with it. Loop thread only, or any single thread
/// after stop().
///
/// Destroying it kills the group at once with SIGKILL and reports nothing. The loop reaps the
/// process, or the thread that is about to start it.
class child_process {
public:
  child_process(loop& home, child_listener& listener, child_graces graces = {});
  ~child_process();
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  /// Starts the program; call once. Does not wait: another thread starts programs, in order. A
  /// failure arrives as child_ended, later.
  void start(child_command command);

  /// Appends to the child's stdin. All bytes of one iteration leave in one write. Without bound:
  /// callers check queued(). Bytes for a process that is closing or gone are dropped.
  void write(std::string_view bytes);

  /// Returns the number of bytes that the child has not taken yet.
  size_t queued() const noexcept;

  /// Stops or resumes reading its stdout; only while it runs. The child may block on a full pipe.
  /// Its end is noticed in any case.
  void set_reading(bool on);

  /// Sets the largest read of its output: 1 byte to 8 KiB (the initial value).
  void read_at_once(size_t bytes);

  /// Ends it in order: queued bytes, end of stdin, SIGTERM, SIGKILL; idempotent. A process that is
  /// about to start still starts, and gets the queued bytes.
  void close();

  /// Returns the last 4 KiB that it wrote to stderr.
  std::string_view error_tail() const noexcept;

  /// Returns its process id, or -1 while it does not run.
  pid_t pid() const noexcept;

private:
  struct impl;
  std::shared_ptr<impl> impl_;
};

} // namespace troupe
