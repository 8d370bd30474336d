// SIGINT, SIGTERM and SIGHUP as calls, on a thread of their own.
#pragma once

#include <functional>

namespace troupe {

/// Blocks SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP in this thread and all that it
/// starts later, and ignores SIGPIPE. Call first.
void block_signals();

/// Waits for one of them.
void wait_for_signal();

/// Calls `handle` for each signal from now on, with their running number from 1, until the process
/// ends.
void on_signals(std::function<void(int)> handle);

} // namespace troupe
