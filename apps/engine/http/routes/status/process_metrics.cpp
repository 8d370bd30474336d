#include "apps/engine/http/routes/status/process_metrics.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>

#include <sys/resource.h>
#include <unistd.h>

namespace troupe {

namespace {

namespace fs = std::filesystem;

std::string read_all(const char* path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// /proc/self/stat from its third field on: the second, the name, may hold anything.
struct process_stat {
  uint64_t user_ticks = 0;
  uint64_t system_ticks = 0;
  uint64_t start_ticks = 0; ///< since the machine was started
  uint64_t virtual_bytes = 0;
  uint64_t resident_pages = 0;
};

bool read_stat(process_stat& out) {
  auto text = read_all("/proc/self/stat");
  auto after_name = text.rfind(')');
  if (after_name == text.npos)
    return false;
  std::istringstream in{text.substr(after_name + 1)};
  std::string skipped;
  auto skip = [&](int fields) {
    while (fields-- > 0)
      in >> skipped;
  };
  skip(11); // fields 3 to 13 of proc(5)
  in >> out.user_ticks >> out.system_ticks;
  skip(6);
  in >> out.start_ticks >> out.virtual_bytes >> out.resident_pages;
  return !in.fail();
}

/// Returns when the machine was started, in seconds since 1970; 0 if unknown.
double boot_time() {
  std::istringstream in{read_all("/proc/stat")};
  for (std::string word; in >> word;)
    if (double seconds = 0; word == "btime" && in >> seconds)
      return seconds;
  return 0;
}

void write_times(prometheus_text& out, const process_stat& stat) {
  auto ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  out.single("process_cpu_seconds_total", metric_kind::counter,
             "Processor time used, of the user and the system, in seconds.",
             static_cast<double>(stat.user_ticks + stat.system_ticks) / ticks_per_second);
  if (auto boot = boot_time(); boot > 0)
    out.single("process_start_time_seconds", metric_kind::gauge,
               "When the process was started, in seconds since 1970.",
               boot + static_cast<double>(stat.start_ticks) / ticks_per_second);
}

void write_memory(prometheus_text& out, const process_stat& stat) {
  out.single("process_resident_memory_bytes", metric_kind::gauge, "Resident memory in bytes.",
             static_cast<double>(stat.resident_pages) *
                 static_cast<double>(::sysconf(_SC_PAGESIZE)));
  out.single("process_virtual_memory_bytes", metric_kind::gauge, "Virtual memory in bytes.",
             static_cast<double>(stat.virtual_bytes));
}

void write_descriptors(prometheus_text& out) {
  std::error_code failed;
  fs::directory_iterator open{"/proc/self/fd", failed};
  if (!failed)
    out.single("process_open_fds", metric_kind::gauge, "Open file descriptors.",
               static_cast<double>(std::distance(fs::begin(open), fs::end(open))));
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    out.single("process_max_fds", metric_kind::gauge, "How many descriptors may be open.",
               static_cast<double>(limit.rlim_cur));
}

} // namespace

void write_process_metrics(prometheus_text& out) {
  if (process_stat stat; read_stat(stat)) {
    write_times(out, stat);
    write_memory(out, stat);
  }
  write_descriptors(out);
}

} // namespace troupe
