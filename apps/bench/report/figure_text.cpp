#include "apps/bench/report/figure_text.hpp"

#include <array>

#include <fmt/format.h>

#include "apps/bench/plan/duration_text.hpp"

namespace troupe::bench {

namespace {

/// Returns the value in the unit that fits.
std::string found_value(const objective_outcome& outcome) {
  for (auto which : all_metrics)
    if (outcome.asked.figure == to_string(which))
      return duration_text(outcome.found);
  return fmt::format("{:.5g}", outcome.found);
}

} // namespace

std::string count_text(uint64_t count) {
  auto out = std::to_string(count);
  for (auto at = out.size(); at > 3; at -= 3)
    out.insert(at - 3, ",");
  return out;
}

std::string bytes_text(uint64_t bytes) {
  constexpr std::array units{"KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes) / 1024;
  if (value < 1)
    return fmt::format("{} B", bytes);
  size_t unit = 0;
  for (; value >= 1023.95 && unit + 1 < units.size(); ++unit)
    value /= 1024;
  return fmt::format("{:.1f} {}", value, units[unit]);
}

std::string percent_text(double share) {
  // Rounded down, so that only all is 100 %.
  auto hundredths = static_cast<int64_t>(share * 10'000 + 1e-6);
  return fmt::format("{}.{:02} %", hundredths / 100, hundredths % 100);
}

std::string found_text(const objective_outcome& outcome) {
  auto out = outcome.measured ? found_value(outcome) : std::string{"not measured"};
  if (!outcome.why.empty())
    out += ", but " + outcome.why;
  if (outcome.runs > 1)
    out += fmt::format(" (the median of {} runs; {} met it)", outcome.runs, outcome.runs_met);
  return out;
}

std::string knee_text(const bench_outcome& outcome) {
  const auto& plan = outcome.runs.front().plan;
  if (outcome.ended_early)
    return outcome.knee <= 0 ? "not found: the sweep ended early"
                             : fmt::format("at least {:.4g} {}: the sweep ended early",
                                           outcome.knee, load_unit(plan));
  if (outcome.knee <= 0)
    return "none: the target kept up with no step";
  if (outcome.knee >= plan.sweep.to)
    return fmt::format("not reached: the target kept up with {:.4g} {}", outcome.knee,
                       load_unit(plan));
  return fmt::format("{:.4g} {}", outcome.knee, load_unit(plan));
}

std::string_view load_unit(const bench_plan& plan) {
  if (plan.sweep.of_history)
    return "messages in the chat";
  return plan.arrivals.kind == arrival_kind::concurrency ? "sessions at once" : "sessions/s";
}

} // namespace troupe::bench
