#include "apps/troupe_bench/progress_line.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/bench/plan/duration_text.hpp"

namespace troupe::bench {

namespace {

constexpr const char* erase_line = "\r\033[K";

// A line that is longer than the terminal is cut off: what wraps could not be erased any more.
constexpr const char* wrap_off = "\033[?7l";
constexpr const char* wrap_on = "\033[?7h";

} // namespace

progress_line::progress_line(bool quiet) : on_{!quiet && isatty(STDERR_FILENO) != 0} {}

progress_line::~progress_line() {
  if (on_)
    fmt::print(stderr, "{}", erase_line);
}

void progress_line::show(const progress& now) {
  if (!on_)
    return;
  fmt::print(stderr, "{}{}{}{}", erase_line, wrap_off, progress_text(now), wrap_on);
  std::fflush(stderr);
}

std::string progress_text(const progress& now) {
  auto out = fmt::format("{:.0f} s", now.seconds);
  if (!now.step.empty())
    out += "  " + now.step;
  if (now.warming_up)
    out += "  warming up";
  out += fmt::format("  {:.0f} turns/s  {} running  {} ended", now.turns_per_second, now.running,
                     now.ended);
  if (now.failed > 0)
    out += fmt::format("  {} failed", now.failed);
  if (now.first_text_p99_ns > 0)
    out += "  first text p99 " + duration_text(now.first_text_p99_ns);
  return out;
}

} // namespace troupe::bench
