// CPU time and memory of a process and of the own threads, as the kernel counts them.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>

#include <sys/types.h>

#include "apps/bench/measure/run_result.hpp"

namespace troupe::bench {

/// One look at a process.
struct process_sample {
  bool seen = false;        ///< false: there is no such process, or it may not be looked at
  double cpu_seconds = 0;   ///< user and system, of all its threads, without children
  uint64_t rss = 0;         ///< bytes
  uint64_t descriptors = 0; ///< 0 where they may not be counted
};

/// Looks at a process: its CPU clock, which counts in nanoseconds, and /proc. Any thread.
process_sample look_at(int pid);

/// Follows a process through a run.
class process_probe {
public:
  /// @param pid 0: nobody
  explicit process_probe(int pid) { usage_.pid = pid; }

  /// Begins to count.
  void begin();

  /// Looks at its memory.
  void look();

  /// Ends counting.
  void end();

  const process_usage& usage() const { return usage_; }

private:
  process_usage usage_;
  double cpu_at_begin_ = 0;
};

/// Returns the CPU time that each thread of this process has used since it was started, by its id;
/// of those that are there now. Any thread.
std::map<pid_t, std::chrono::nanoseconds> thread_times();

/// Returns the share of `passed` that the busiest thread was busy, of those that are in both.
double busiest_share(const std::map<pid_t, std::chrono::nanoseconds>& before,
                     const std::map<pid_t, std::chrono::nanoseconds>& after, double passed);

} // namespace troupe::bench
