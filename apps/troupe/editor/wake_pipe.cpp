#include "apps/troupe/editor/wake_pipe.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace troupe {

namespace {

/// The open pipe, for the handler; -1 while there is none.
std::atomic<int> open_pipe{-1};

void on_terminal_signal(int signal) {
  const auto before = errno;
  const auto why = static_cast<char>(signal == SIGTSTP ? input_wake::suspend : input_wake::resize);
  if (const auto to = open_pipe.load(); to >= 0) [[maybe_unused]]
    const auto written = ::write(to, &why, 1);
  else if (signal == SIGTSTP)
    kill(getpid(), SIGSTOP);
  errno = before;
}

void handle(int signal) {
  struct sigaction how {};
  how.sa_handler = on_terminal_signal;
  how.sa_flags = SA_RESTART;
  sigaction(signal, &how, nullptr);
}

} // namespace

wake_pipe::wake_pipe() {
  if (::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0)
    ends_[0] = ends_[1] = -1;
  handle(SIGWINCH);
  handle(SIGTSTP);
}

wake_pipe::~wake_pipe() {
  close();
  std::signal(SIGWINCH, SIG_DFL);
  std::signal(SIGTSTP, SIG_DFL);
  ::close(ends_[0]);
  ::close(ends_[1]);
}

bool wake_pipe::open() {
  bool stays = true;
  while (const auto why = take())
    stays = stays && *why != input_wake::end;
  open_pipe = ends_[1];
  return stays;
}

void wake_pipe::close() {
  open_pipe = -1;
}

void wake_pipe::write(input_wake why) const {
  const auto byte = static_cast<char>(why);
  [[maybe_unused]] const auto written = ::write(ends_[1], &byte, 1);
}

std::optional<input_wake> wake_pipe::take() const {
  char why = 0;
  if (::read(ends_[0], &why, 1) != 1)
    return std::nullopt;
  return static_cast<input_wake>(why);
}

} // namespace troupe
