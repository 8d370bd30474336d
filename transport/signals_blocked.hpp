// What keeps signals from a thread of ours.
#pragma once

#include <pthread.h>

#include <csignal>
#include <initializer_list>

namespace troupe {

/// Blocks every signal that is not raised by the thread's own fault for as long as it lives, so
/// that a thread that is started meanwhile never sees one.
class signals_blocked {
public:
  signals_blocked() {
    sigset_t all;
    sigfillset(&all);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
      sigdelset(&all, fault);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  signals_blocked(const signals_blocked&) = delete;
  signals_blocked& operator=(const signals_blocked&) = delete;

private:
  sigset_t before_{};
};

} // namespace troupe
