// SIGINT, SIGTERM and SIGHUP as calls, on a thread of their own.
#pragma once

#include <functional>

namespace troupe {

/// Blocks SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP in this thread and all that it
/// starts later, and ignores SIGPIPE. Call first.
void block_signals();

/// Waits for one of them, and returns it.
int wait_for_signal();

/// Ignores SIGHUP from now on: a closing terminal sends it again when its shell ends.
void ignore_hangups();

/// Calls `handle` with each signal from now on, until the process ends.
void on_signals(std::function<void(int)> handle);

} // namespace troupe
