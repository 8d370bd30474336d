#include "apps/bench/measure/thread_times.hpp"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <system_error>

namespace troupe::bench {

namespace {

/// Returns the CPU clock of a thread, numbered as the kernel does
/// (include/linux/posix-timers_types.h): pthread_getcpuclockid() takes no thread id.
clockid_t clock_of(pid_t thread) {
  constexpr unsigned per_thread = 4;
  constexpr unsigned scheduled = 2;
  return static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3 | per_thread | scheduled);
}

} // namespace

std::map<pid_t, std::chrono::nanoseconds> thread_times() {
  std::map<pid_t, std::chrono::nanoseconds> out;
  std::error_code none;
  std::filesystem::directory_iterator each{"/proc/self/task", none};
  for (; !none && each != std::filesystem::directory_iterator{}; each.increment(none)) {
    const auto name = each->path().filename().string();
    pid_t thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    timespec used{};
    if (thread > 0 && ::clock_gettime(clock_of(thread), &used) == 0)
      out[thread] = std::chrono::seconds{used.tv_sec} + std::chrono::nanoseconds{used.tv_nsec};
  }
  return out;
}

double busiest_share(const std::map<pid_t, std::chrono::nanoseconds>& before,
                     const std::map<pid_t, std::chrono::nanoseconds>& after, double passed) {
  double out = 0;
  for (const auto& [thread, used] : after)
    if (const auto known = before.find(thread); known != before.end() && passed > 0)
      out = std::max(out, std::chrono::duration<double>(used - known->second).count() / passed);
  return out;
}

} // namespace troupe::bench
