// Keeps signals from our own threads.
#pragma once

#include <pthread.h>

#include <csignal>
#include <initializer_list>

namespace troupe {

/// While it lives, the thread blocks all signals but those of its own faults. A thread that is
/// started meanwhile inherits this and never gets a signal.
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
