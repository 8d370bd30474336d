#include "apps/bench/measure/process_probe.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
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

} // namespace troupe::bench
