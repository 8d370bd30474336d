// Typing while an answer is shown.
#pragma once

#include <atomic>

#include <termios.h>

namespace troupe {

/// Hides what a person types at the terminal while something is shown: from hide() to show(), or to
/// its end. What was typed is read by who reads next. Does nothing where stdin is no terminal.
class hidden_typing {
public:
  hidden_typing();
  ~hidden_typing() { show(); }

  hidden_typing(const hidden_typing&) = delete;
  hidden_typing& operator=(const hidden_typing&) = delete;

  void hide();

  /// Shows it again. Any thread, also on the way out of the process.
  void show();

  /// Drops what was typed: it was no answer to a question that nobody had seen.
  static void forget();

private:
  termios before_{};
  std::atomic<bool> is_terminal_{false};
};

} // namespace troupe
