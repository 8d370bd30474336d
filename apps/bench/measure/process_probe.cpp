#include "apps/bench/measure/process_probe.hpp"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace troupe::bench {

namespace {

uint64_t resident_bytes(int pid) {
  std::ifstream file{fmt::format("/proc/{}/statm", pid)};
  uint64_t all = 0;
  uint64_t resident = 0;
  return file >> all >> resident ? resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

uint64_t open_descriptors(int pid) {
  std::error_code failed;
  std::filesystem::directory_iterator each{fmt::format("/proc/{}/fd", pid), failed};
  uint64_t out = 0;
  while (!failed && each != std::filesystem::directory_iterator{}) {
    ++out;
    each.increment(failed);
  }
  return out;
}

/// Returns the CPU clock of a thread, numbered as the kernel does
/// (include/linux/posix-timers_types.h): pthread_getcpuclockid() takes no thread id.
clockid_t clock_of(pid_t thread) {
  constexpr unsigned per_thread = 4;
  constexpr unsigned scheduled = 2;
  return static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3 | per_thread | scheduled);
}

} // namespace

process_sample look_at(int pid) {
  // Above the kernel's highest pid, see proc(5), a CPU clock's id would mean another process.
  constexpr int highest_pid = 4'194'304;
  process_sample out;
  clockid_t clock{};
  timespec used{};
  if (pid <= 0 || pid > highest_pid || ::clock_getcpuclockid(pid, &clock) != 0 ||
      ::clock_gettime(clock, &used) != 0)
    return out;
  out.seen = true;
  out.cpu_seconds = static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
  out.rss = resident_bytes(pid);
  out.descriptors = open_descriptors(pid);
  return out;
}

void process_probe::begin() {
  const auto now = look_at(usage_.pid);
  cpu_at_begin_ = now.cpu_seconds;
  usage_.rss_first = usage_.rss_most = usage_.rss_last = now.rss;
  usage_.descriptors_first = usage_.descriptors_last = now.descriptors;
}

void process_probe::look() {
  const auto now = look_at(usage_.pid);
  if (!now.seen)
    return;
  usage_.rss_most = std::max(usage_.rss_most, now.rss);
  usage_.rss_last = now.rss;
  usage_.descriptors_last = now.descriptors;
}

void process_probe::end() {
  const auto now = look_at(usage_.pid);
  if (now.seen)
    usage_.cpu_seconds = now.cpu_seconds - cpu_at_begin_;
  look();
}

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
