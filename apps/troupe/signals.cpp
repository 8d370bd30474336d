#include "apps/troupe/signals.hpp"

#include <csignal>
#include <thread>
#include <utility>

#include <pthread.h>

namespace troupe {

namespace {

/// Returns whether a signal is ignored, as SIGHUP under nohup. Such a signal must not be blocked: a
/// blocked signal waits even if it is ignored.
bool is_ignored(int signal) {
  struct sigaction now {};
  sigaction(signal, nullptr, &now);
  return now.sa_handler == SIG_IGN;
}

sigset_t our_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  if (!is_ignored(SIGHUP))
    sigaddset(&set, SIGHUP);
  return set;
}

} // namespace

void block_signals() {
  auto set = our_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

int wait_for_signal() {
  auto set = our_signals();
  int got = 0;
  sigwait(&set, &got);
  return got;
}

void ignore_hangups() {
  std::signal(SIGHUP, SIG_IGN);
}

void on_signals(std::function<void(int)> handle) {
  std::thread{[handle = std::move(handle)] {
    for (;;)
      handle(wait_for_signal());
  }}.detach();
}

} // namespace troupe
