// A prompt at which a person writes a message.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "apps/troupe/editor/wake_pipe.hpp"

namespace troupe {

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
