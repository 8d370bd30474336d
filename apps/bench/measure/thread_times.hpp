// Processor time of this process's threads.
#pragma once

#include <chrono>
#include <map>

#include <sys/types.h>

namespace troupe::bench {

/// Returns the CPU time that each thread of this process has used since it was started, by its id;
/// of those that are there now. Any thread.
std::map<pid_t, std::chrono::nanoseconds> thread_times();

/// Returns the share of `passed` that the busiest thread was busy, of those that are in both.
double busiest_share(const std::map<pid_t, std::chrono::nanoseconds>& before,
                     const std::map<pid_t, std::chrono::nanoseconds>& after, double passed);

} // namespace troupe::bench
