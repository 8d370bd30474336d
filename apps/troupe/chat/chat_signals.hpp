// What signals do to a chat in the terminal.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "apps/troupe/editor/line_editor.hpp"
#include "apps/troupe/terminal/hidden_typing.hpp"

namespace troupe {

/// SIGINT stops the answer; a second one, and one while nothing can be stopped, ends the process.
/// SIGTERM and SIGHUP stop it, too, and then the chat ends. At a prompt they leave that.
///
///     elsewhere <--turn()/end_turn()--> in a turn
///         ^-----prompt()/end_prompt()-> at a prompt
///
/// Signals are handled on a thread of their own, which may run until the process ends: shared.
class chat_signals : public std::enable_shared_from_this<chat_signals> {
public:
  /// Begins to handle them. The thread must have them blocked (block_signals()).
  void begin();

  /// A turn runs from now on. @param stop is called once; any thread
  /// @param typing is shown again at the end of the turn, or of the process; may be nullptr
  void turn(std::function<void()> stop, hidden_typing* typing);
  void end_turn();

  /// The editor reads from now on.
  void prompt(line_editor& editor);
  void end_prompt();

  /// Returns whether the turn that runs is to stop. Any thread.
  bool stopping() const noexcept { return stopping_; }

  /// Returns whether nothing more is to be asked. Any thread.
  bool ending() const noexcept { return ending_; }

private:
  void handle(int signal);

  std::mutex mutex_;
  std::function<void()> stop_;
  hidden_typing* typing_ = nullptr;
  line_editor* editor_ = nullptr;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> ending_{false};
};

} // namespace troupe
