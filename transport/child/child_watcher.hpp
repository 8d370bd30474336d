// Kills the process groups of our children when this process ends without doing so.
#pragma once

#include <sys/types.h>

namespace troupe {

/// Starts the watcher, a process of its own that is no child of ours. When this process has ended,
/// in whatever way, it sends SIGKILL to every group that is watched, and ends. A child alone would
/// be killed by the kernel (PR_SET_PDEATHSIG); its own children would live on. Where no process can
/// be started, they do. Call once, on a thread that blocks all signals.
void start_child_watcher();

/// From now on the group is watched. Does nothing without a watcher, or for a number below 1. Any
/// thread; does not block.
void watch_group(pid_t group);

/// The group is gone. Call before its leader is reaped. Otherwise as watch_group().
void forget_group(pid_t group);

} // namespace troupe
