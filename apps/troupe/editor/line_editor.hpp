// A prompt at which a person writes a message.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

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

/// How a prompt was left.
enum class input_end : uint8_t {
  message,     ///< Enter
  interrupted, ///< Ctrl-C; what was typed is gone
  ended,       ///< Ctrl-D at an empty prompt, or the terminal is gone
};

/// Reads messages from the terminal at stdin, and shows them on stderr: editing and history by
/// libedit (emacs' keys, or as ~/.editrc says). A paste is inserted as it is, whatever lines it
/// has. Enter sends the message; with Alt-Enter, and with Enter behind a backslash, it gets another
/// line. While a prompt is open SIGWINCH and SIGTSTP are handled here. One per process; the main
/// thread, but for wake().
class line_editor {
public:
  /// @param history_file "": what is typed is not kept
  explicit line_editor(std::string history_file);
  ~line_editor();

  line_editor(const line_editor&) = delete;
  line_editor& operator=(const line_editor&) = delete;

  /// Reads a message. @param text UTF-8, without the last line's end
  /// @param was_empty set to whether nothing was typed when it ended
  input_end read(const std::string& prompt, std::string& text, bool& was_empty);

  /// Has read() return, as if by Ctrl-C or by an end. Any thread.
  void wake(input_wake why);

  /// Returns why the history is not kept in its file; "" if it is.
  const std::string& history_fault() const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace troupe
