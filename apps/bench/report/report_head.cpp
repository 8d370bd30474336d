#include "apps/bench/report/report_head.hpp"

#include <ctime>
#include <fstream>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>

#include "apps/bench/plan/plan_text.hpp"

namespace troupe::bench {

namespace {

constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   "-_=+:,./@%";

std::string quoted(const std::string& word) {
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
    return word;
  std::string out = "'";
  for (char c : word)
    out += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return out + "'";
}

/// Returns a header field without its value.
std::string without_value(std::string_view field) {
  return std::string{field.substr(0, field.find(':'))} + ": ...";
}

machine look_at_machine() {
  machine out;
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0)
    out.cores = static_cast<unsigned>(CPU_COUNT(&cores));
  std::ifstream file{"/proc/cpuinfo"};
  for (std::string line; out.cpu.empty() && std::getline(file, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos)
      out.cpu = line.substr(line.find(": ") + 2);
  utsname kernel{};
  if (uname(&kernel) == 0)
    out.kernel = fmt::format("{} {} {}", kernel.sysname, kernel.release, kernel.machine);
  return out;
}

} // namespace

std::string shown_command(int argc, const char* const* argv) {
  constexpr std::string_view secret = "--header";
  std::string out = "troupe-bench";
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word.starts_with(fmt::format("{}=", secret)))
      word = fmt::format("{}={}", secret, without_value(word.substr(secret.size() + 1)));
    else if (std::string_view{argv[i - 1]} == secret)
      word = without_value(word);
    out += " " + quoted(shown_url(word));
  }
  return out;
}

report_head make_report_head(int argc, const char* const* argv) {
  return {shown_command(argc, argv),
          fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))), look_at_machine()};
}

} // namespace troupe::bench
