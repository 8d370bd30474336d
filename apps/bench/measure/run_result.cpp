#include "apps/bench/measure/run_result.hpp"

#include <algorithm>

namespace troupe::bench {

namespace {

constexpr std::array<std::string_view, metrics> names{
    "first_event",   "first_text", "between_tokens", "arguments_to_tool", "tool",
    "tool_to_model", "turn",       "cancel",         "schedule_delay",    "lag"};

double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

} // namespace

std::string_view to_string(metric which) {
  return names[static_cast<size_t>(which)];
}

uint64_t run_result::failed() const {
  uint64_t out = 0;
  for (const auto& [code, count] : failures)
    out += count;
  return out;
}

double run_result::offered() const {
  return share(static_cast<double>(started), seconds);
}

double run_result::turns_per_second() const {
  return share(static_cast<double>(ended_within), seconds);
}

double run_result::goodput() const {
  return share(static_cast<double>(good_within), seconds);
}

uint64_t run_result::judged() const {
  return started - std::min(started, cancelled + abandoned);
}

double run_result::good_share() const {
  return share(static_cast<double>(good), static_cast<double>(judged()));
}

double run_result::cpu_per_turn() const {
  return share(watched.cpu_seconds, static_cast<double>(ended_within));
}

} // namespace troupe::bench
