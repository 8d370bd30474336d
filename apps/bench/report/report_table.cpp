#include "apps/bench/report/reports.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "apps/bench/report/figure_rows.hpp"
#include "apps/bench/report/figures.hpp"
#include "messages/terminal_text.hpp"

namespace troupe::bench {

namespace {

constexpr const char* green = "\033[32m";
constexpr const char* red = "\033[31m";

/// Returns columns as wide as their longest cell, the first one flush left, the others right.
std::string aligned(const text_rows& rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const auto& cells : rows)
    for (size_t i = 0; i < cells.size(); ++i)
      widths[i] = std::max(widths[i], cells[i].size());
  std::string out;
  for (const auto& cells : rows) {
    auto line = fmt::format("{:<{}}", cells[0], widths[0]);
    for (size_t i = 1; i < cells.size(); ++i)
      line += fmt::format("  {:>{}}", cells[i], widths[i]);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string line(std::string_view name, const std::string& text) {
  return fmt::format("{:<10}  {}\n", name, text);
}

std::string lines(const text_facts& facts) {
  std::string out;
  for (const auto& [name, text] : facts)
    out += line(name, terminal_text(text));
  return out;
}

std::string painted(const char* text, const char* colour, bool coloured) {
  return coloured ? std::string{colour} + text + "\033[0m" : text;
}

std::string verdict_lines(const bench_outcome& outcome, bool colour) {
  auto why = doubts(outcome);
  auto out =
      line("verdict", why.empty() ? painted("valid", green, colour)
                                  : painted("INVALID: do not use these figures", red, colour));
  for (const auto& each : why)
    out += line("", terminal_text(each));
  const auto& late = representative_run(outcome)[metric::schedule_delay];
  if (outcome.ceiling > 0)
    out += line("ceiling", fmt::format("{}; here it was {} late at p99", ceiling_text(outcome),
                                       text_of(figures_of(late), "p99")));
  return out;
}

std::string objective_lines(const bench_outcome& outcome, bool colour) {
  std::string out;
  for (const auto& each : outcome.objectives)
    out += line("objective",
                terminal_text(objective_text(each)) + ", " +
                    (each.met ? painted("met", green, colour) : painted("MISSED", red, colour)));
  return out;
}

} // namespace

std::string report_table(const report_head& head, const bench_outcome& outcome, bool colour) {
  if (outcome.runs.empty())
    return "Nothing was run.\n";
  const auto& run = representative_run(outcome);
  auto out = lines(plan_facts(run.plan)) + lines({machine_fact(head)}) +
             verdict_lines(outcome, colour) + "\n";
  if (outcome.runs.size() > 1)
    out += aligned(run_rows(outcome)) + "\n";
  if (run.plan.sweep.has_knee())
    out += line("knee", knee_text(outcome)) + "\n";
  return out + aligned(time_rows(run)) + "\n" + lines(run_facts(run)) +
         objective_lines(outcome, colour);
}

} // namespace troupe::bench
