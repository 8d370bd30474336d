#include "apps/troupe/chat/chat_signals.hpp"

#include <csignal>
#include <utility>

#include <unistd.h>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/signals.hpp"

namespace troupe {

void chat_signals::begin() {
  on_signals([self = shared_from_this()](int signal) { self->handle(signal); });
}

void chat_signals::turn(std::function<void()> stop, hidden_typing* typing) {
  std::lock_guard guard{mutex_};
  stop_ = std::move(stop);
  typing_ = typing;
  stopping_ = false;
}

void chat_signals::end_turn() {
  std::lock_guard guard{mutex_};
  stop_ = nullptr;
  if (auto* typing = std::exchange(typing_, nullptr))
    typing->show(); // before a signal can end the process without it
}

void chat_signals::prompt(line_editor& editor) {
  std::lock_guard guard{mutex_};
  editor_ = &editor;
}

void chat_signals::end_prompt() {
  std::lock_guard guard{mutex_};
  editor_ = nullptr;
}

void chat_signals::handle(int signal) {
  if (signal == SIGHUP)
    ignore_hangups();
  std::lock_guard guard{mutex_};
  if (signal != SIGINT)
    ending_ = true;
  if (editor_ != nullptr)
    return editor_->wake(signal == SIGINT ? input_wake::interrupt : input_wake::end);
  if (stop_ && !stopping_.exchange(true))
    return stop_();
  if (typing_ != nullptr)
    typing_->show();
  _exit(exit_aborted);
}

} // namespace troupe
