// Reaps killed processes in the background, so that no zombie stays.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

#include "transport/descriptor.hpp"
#include "transport/loop/loop.hpp"

namespace troupe {

/// How a process ended; both are 0 if it is unknown, because other code in this program reaped it.
struct exit_state {
  int code = 0;
  int signal = 0;
};

/// Returns the state as a predicate: "ended with exit status 3".
std::string in_words(const exit_state& state);

/// Collects the state of a process whose pidfd is readable. Returns at once in any case.
exit_state reap(const descriptor& exited);

/// Sends a signal to a process and its whole group; does nothing without a process.
void kill_group(pid_t pid, int signal);

/// Waits for a process's end, at most `limit`, and reaps it. Returns whether it has ended.
bool reap_within(std::chrono::milliseconds limit, const descriptor& exited);

/// Reaps a process that was sent SIGKILL as soon as it has ended. On the loop's thread this returns
/// at once; after stop() it waits for the end, 1 s at most.
/// @param exited the process's pidfd
void reap_later(loop& home, descriptor exited);

} // namespace troupe
