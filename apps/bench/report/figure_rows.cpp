#include "apps/bench/report/figure_rows.hpp"

#include <cmath>

#include <fmt/format.h>

#include "apps/bench/plan/duration_text.hpp"
#include "apps/bench/plan/plan_text.hpp"
#include "apps/bench/report/figure_text.hpp"
#include "apps/bench/report/figures.hpp"

namespace troupe::bench {

namespace {

std::string time_text(int64_t ns) {
  return duration_text(static_cast<double>(ns));
}

/// Returns a duration as text; "-" for 0, which was not measured.
std::string cost_text(double ns) {
  return ns > 0 ? duration_text(ns) : "-";
}

std::string rate_text(const run_result& run, uint64_t count, std::string (*text)(uint64_t)) {
  auto per_second = run.seconds > 0 ? static_cast<double>(count) / run.seconds : 0;
  return text(static_cast<uint64_t>(std::llround(per_second)));
}

std::string failures_text(const run_result& run) {
  std::string out;
  for (const auto& [code, count] : run.failures) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count_text(count), code);
    if (const auto said = run.failure_texts.find(code); said != run.failure_texts.end())
      out += fmt::format(" ({})", said->second);
  }
  return out;
}

std::string usage_text(const run_result& run) {
  const auto turns = static_cast<double>(run.counted_within);
  auto out = fmt::format("{:.1f} input and {:.1f} output tokens per turn, {} output tokens/s",
                         static_cast<double>(run.used_within.input_tokens) / turns,
                         static_cast<double>(run.used_within.output_tokens) / turns,
                         rate_text(run, run.used_within.output_tokens, count_text));
  if (run.counted_within < run.ended_within)
    out += fmt::format("; only {} of {} turns were counted", count_text(run.counted_within),
                       count_text(run.ended_within));
  return out;
}

std::string process_text(const run_result& run) {
  const auto& seen = run.watched;
  return fmt::format("pid {}: {} CPU per turn, {} per token; RSS {} to {}, at most {}; {} to {} "
                     "descriptors",
                     seen.pid, cost_text(cpu_per_turn_ns(run)), cost_text(cpu_per_token_ns(run)),
                     bytes_text(seen.rss_first), bytes_text(seen.rss_last),
                     bytes_text(seen.rss_most), seen.descriptors_first, seen.descriptors_last);
}

std::vector<std::string> run_row(const bench_outcome& outcome, size_t index) {
  const auto& run = outcome.runs[index];
  const auto& first = run[metric::first_text];
  std::string mark{run.invalid.empty() ? "" : "invalid"};
  if (&run == &representative_run(outcome))
    mark += mark.empty() ? "shown below" : ", shown below";
  return {run_name(outcome, index),
          fmt::format("{:.1f}", run.turns_per_second()),
          percent_text(run.good_share()),
          count_text(run.failed()),
          time_text(first.quantile_ns(0.5)),
          time_text(first.quantile_ns(0.99)),
          cost_text(cpu_per_turn_ns(run)),
          cost_text(cpu_per_token_ns(run)),
          mark};
}

} // namespace

text_rows time_rows(const run_result& run) {
  text_rows rows{{"", "count"}};
  for (const auto& each : shown_quantiles)
    rows[0].emplace_back(each.name);
  rows[0].emplace_back("max");
  for (auto which : all_metrics) {
    const auto& times = run[which];
    if (times.count() == 0)
      continue;
    auto& cells = rows.emplace_back();
    cells = {std::string{to_string(which)}, count_text(times.count())};
    for (const auto& each : shown_quantiles)
      cells.push_back(time_text(times.quantile_ns(each.at)));
    cells.push_back(time_text(times.max_ns()));
  }
  return rows;
}

text_rows run_rows(const bench_outcome& outcome) {
  text_rows rows{
      {"", "turns/s", "good", "failed", "first text p50", "p99", "CPU/turn", "CPU/token", ""}};
  for (size_t i = 0; i < outcome.runs.size(); ++i)
    rows.push_back(run_row(outcome, i));
  return rows;
}

text_facts plan_facts(const bench_plan& plan) {
  const auto& steps = plan.sweep.steps;
  if (!steps.empty()) {
    auto load = plan.sweep.of_history ? arrivals_text(plan.arrivals) + ", " : std::string{};
    const double one = plan.sweep.of_history ? 1 : 0; // the new message
    for (const auto& each : steps)
      load += fmt::format("{}{:g}", &each == steps.data() ? "" : ", ", each + one);
    return {{"target", target_text(plan.target)},
            {"load", fmt::format("{} {}, {}", load, load_unit(plan), work_text(plan))}};
  }
  auto load = plan.sweep.on
                  ? fmt::format("{:g} to {:g} {}", plan.sweep.from, plan.sweep.to, load_unit(plan))
                  : arrivals_text(plan.arrivals);
  return {{"target", target_text(plan.target)}, {"load", load + ", " + work_text(plan)}};
}

text_facts run_facts(const run_result& run) {
  text_facts out;
  out.emplace_back("turns",
                   fmt::format("{} started, {} ended well, {} cancelled, {} failed, {} cut off; at "
                               "most {} at once",
                               count_text(run.started), count_text(run.ended),
                               count_text(run.cancelled), count_text(run.failed()),
                               count_text(run.cut_off), count_text(run.most_running)));
  if (!run.failures.empty())
    out.emplace_back("failures", failures_text(run));
  out.emplace_back("throughput",
                   fmt::format("{:.1f} turns/s, {:.1f} good ({}), {} tokens/s, {}/s; "
                               "{} stalls",
                               run.turns_per_second(), run.goodput(),
                               percent_text(run.good_share()),
                               rate_text(run, run.tokens, count_text),
                               rate_text(run, run.bytes, bytes_text), count_text(run.stalls)));
  if (run.counted_within > 0)
    out.emplace_back("model's count", usage_text(run));
  if (run.watched.pid != 0)
    out.emplace_back("process", process_text(run));
  out.emplace_back("generator",
                   fmt::format("{} CPU per turn, busiest lane {}{}; RSS at most {}",
                               cost_text(own_cpu_per_turn_ns(run)), percent_text(run.lane_busy),
                               run.client_busy > 0 ? ", busiest thread of the client " +
                                                         percent_text(run.client_busy)
                                                   : "",
                               bytes_text(run.own.rss_most)));
  for (const auto& note : run.notes)
    out.emplace_back("note", note);
  return out;
}

} // namespace troupe::bench
