// What wakes up a thread that reads from the terminal.
#pragma once

#include <optional>

namespace troupe {

/// Why the thread that reads is woken up.
enum class input_wake : char { interrupt = 'c', end = 't', resize = 'w', suspend = 'z' };

/// A pipe that is polled beside the terminal. While it is open, SIGWINCH and SIGTSTP come through
/// it; else SIGTSTP stops the process, as ever. One per process.
class wake_pipe {
public:
  wake_pipe();
  ~wake_pipe();

  wake_pipe(const wake_pipe&) = delete;
  wake_pipe& operator=(const wake_pipe&) = delete;

  /// Opens it, and forgets what was meant for an earlier prompt. @return false: that was an end
  bool open();
  void close();

  /// Any thread, also in a handler of signals.
  void write(input_wake why) const;

  /// Returns what has been written, one at a time.
  std::optional<input_wake> take() const;

  /// Returns the descriptor that can be read when there is something.
  int to_poll() const noexcept { return ends_[0]; }

private:
  int ends_[2] = {-1, -1};
};

} // namespace troupe
