#include "apps/bench/report/figure_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "apps/bench/plan/duration_text.hpp"
#include "apps/bench/plan/plan_text.hpp"
#include "apps/bench/report/figures.hpp"

namespace troupe::bench {

namespace {

constexpr auto json_only = figure_place::json;
constexpr auto csv_only = figure_place::csv;

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
  const auto rows = figures_of(run);
  const auto turns = static_cast<double>(run.counted_within);
  auto out = fmt::format("{:.1f} input and {:.1f} output tokens per turn, {} output tokens/s",
                         static_cast<double>(run.used_within.input_tokens) / turns,
                         static_cast<double>(run.used_within.output_tokens) / turns,
                         rate_text(run, run.used_within.output_tokens, count_text));
  if (run.counted_within < run.ended_within)
    out += fmt::format("; only {} of {} turns were counted", text_of(rows, "counted_within"),
                       text_of(rows, "ended_within"));
  return out;
}

std::string process_text(const run_result& run) {
  const auto& seen = run.watched;
  const auto rows = figures_of(seen);
  return fmt::format("pid {}: {} CPU per turn, {} per token; RSS {} to {}, at most {}; {} to {} "
                     "descriptors",
                     seen.pid, cost_text(cpu_per_turn_ns(run)), cost_text(cpu_per_token_ns(run)),
                     text_of(rows, "rss_first_bytes"), text_of(rows, "rss_last_bytes"),
                     text_of(rows, "rss_most_bytes"), seen.descriptors_first,
                     seen.descriptors_last);
}

std::vector<std::string> run_row(const bench_outcome& outcome, size_t index) {
  const auto& run = outcome.runs[index];
  const auto rows = figures_of(run);
  const auto first = figures_of(run[metric::first_text]);
  std::string mark{run.invalid.empty() ? "" : "invalid"};
  if (&run == &representative_run(outcome))
    mark += mark.empty() ? "shown below" : ", shown below";
  return {run_name(outcome, index),
          text_of(rows, "turns_per_second"),
          text_of(rows, "good_share"),
          text_of(rows, "failed"),
          text_of(first, "p50"),
          text_of(first, "p99"),
          cost_text(cpu_per_turn_ns(run)),
          cost_text(cpu_per_token_ns(run)),
          mark};
}

/// Returns the value in the unit that fits.
std::string found_value(const objective_outcome& outcome) {
  for (auto which : all_metrics)
    if (outcome.asked.figure == to_string(which))
      return duration_text(outcome.found);
  return fmt::format("{:.5g}", outcome.found);
}

} // namespace

text_rows time_rows(const run_result& run) {
  text_rows out{{"", "count"}};
  for (const auto& each : figures_of(run[metric::turn]))
    if (each.is_quantile())
      out[0].emplace_back(each.name);
  for (auto which : all_metrics) {
    if (run[which].count() == 0)
      continue;
    const auto rows = figures_of(run[which]);
    auto& cells = out.emplace_back();
    cells = {std::string{to_string(which)}, text_of(rows, "count")};
    for (const auto& each : rows)
      if (each.is_quantile())
        cells.push_back(text_of(each));
  }
  return out;
}

text_rows run_rows(const bench_outcome& outcome) {
  text_rows rows{
      {"", "turns/s", "good", "failed", "first text p50", "p99", "CPU/turn", "CPU/token", ""}};
  for (size_t i = 0; i < outcome.runs.size(); ++i)
    rows.push_back(run_row(outcome, i));
  return rows;
}

std::pair<std::string, std::string> machine_fact(const report_head& head) {
  return {"machine", fmt::format("{} cores, {}, {}", head.on.cores, head.on.cpu, head.on.kernel)};
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
  const auto rows = figures_of(run);
  const auto text = [&rows](std::string_view name) { return text_of(rows, name); };
  text_facts out;
  out.emplace_back("turns",
                   fmt::format("{} started, {} ended well, {} cancelled, {} failed, {} cut off; at "
                               "most {} at once",
                               text("started"), text("ended"), text("cancelled"), text("failed"),
                               text("cut_off"), text("most_running")));
  if (!run.failures.empty())
    out.emplace_back("failures", failures_text(run));
  out.emplace_back("throughput",
                   fmt::format("{} turns/s, {} good ({}), {} tokens/s, {}/s; {} stalls",
                               text("turns_per_second"), text("good_turns_per_second"),
                               text("good_share"), rate_text(run, run.tokens, count_text),
                               rate_text(run, run.bytes, bytes_text), text("stalls")));
  if (run.counted_within > 0)
    out.emplace_back("model's count", usage_text(run));
  if (run.watched.pid != 0)
    out.emplace_back("process", process_text(run));
  out.emplace_back("generator",
                   fmt::format("{} CPU per turn, busiest lane {}{}; RSS at most {}",
                               cost_text(own_cpu_per_turn_ns(run)), text("lane_busy_share"),
                               run.client_busy > 0
                                   ? ", busiest thread of the client " + text("client_busy_share")
                                   : "",
                               text_of(figures_of(run.own), "rss_most_bytes")));
  for (const auto& note : run.notes)
    out.emplace_back("note", note);
  return out;
}

figure_rows figures_of(const run_result& run) {
  using enum figure_unit;
  return {{"seconds", run.seconds, time_s},
          {"started", run.started},
          {"ended", run.ended},
          {"cancelled", run.cancelled},
          {"failed", run.failed()},
          {"cut_off", run.cut_off},
          {"abandoned", run.abandoned},
          {"not_begun", run.not_begun},
          {"good", run.good},
          {"good_share", run.good_share(), share, json_only},
          {"stalls", run.stalls},
          {"tokens", run.tokens},
          {"bytes", run.bytes, bytes},
          {"most_running", run.most_running, count, json_only},
          {"ended_within", run.ended_within, count, json_only},
          {"good_within", run.good_within, count, json_only},
          {"counted_within", run.counted_within},
          {"input_tokens", run.used_within.input_tokens},
          {"output_tokens", run.used_within.output_tokens},
          {"most_running", run.most_running, count, csv_only}, // CSV has it behind the tokens
          {"running_growth", run.running_growth, count, json_only},
          {"lane_busy_share", run.lane_busy, share, json_only},
          {"client_busy_share", run.client_busy, share, json_only},
          {"turns_per_second", run.turns_per_second(), rate},
          {"good_turns_per_second", run.goodput(), rate},
          {"cpu_per_turn_ns", cpu_per_turn_ns(run), time_ns},
          {"cpu_per_token_ns", cpu_per_token_ns(run), time_ns}};
}

figure_rows figures_of(const second_row& second) {
  using enum figure_unit;
  return {{"started", second.started}, {"ended", second.ended},
          {"failed", second.failed},   {"tokens", second.tokens},
          {"running", second.running}, {"first_text_p99_ns", second.first_text_p99_ns, time_ns}};
}

figure_rows figures_of(const process_usage& usage) {
  using enum figure_unit;
  return {{"pid", int64_t{usage.pid}, count, json_only},
          {"cpu_seconds", usage.cpu_seconds, time_s},
          {"rss_first_bytes", usage.rss_first, bytes},
          {"rss_most_bytes", usage.rss_most, bytes},
          {"rss_last_bytes", usage.rss_last, bytes},
          {"descriptors_first", usage.descriptors_first, count, json_only},
          {"descriptors_last", usage.descriptors_last, count, json_only},
          {"children", uint64_t{usage.children}, count, json_only}};
}

figure_rows figures_of(const latency_histogram& times) {
  using enum figure_unit;
  figure_rows out{{"count", times.count()},
                  {"mean_ns", times.mean_ns(), time_ns},
                  {"min_ns", times.min_ns(), time_ns, json_only},
                  {"max_ns", times.max_ns(), time_ns, json_only}};
  for (const auto& each : shown_quantiles)
    out.push_back(
        {each.name, times.quantile_ns(each.at), time_ns, figure_place::everywhere, each.at});
  out.push_back({"max", times.max_ns(), time_ns, csv_only, 1});
  return out;
}

std::string text_of(const figure& shown) {
  const auto number =
      std::visit([](auto value) { return static_cast<double>(value); }, shown.value);
  using enum figure_unit;
  switch (shown.unit) {
  case count:
    return count_text(static_cast<uint64_t>(number));
  case bytes:
    return bytes_text(static_cast<uint64_t>(number));
  case share:
    return percent_text(number);
  case rate:
    return fmt::format("{:.1f}", number);
  case time_s:
    return duration_text(number * 1e9);
  case time_ns:
    return duration_text(number);
  }
  return {};
}

std::string text_of(const figure_rows& rows, std::string_view name) {
  return text_of(*std::find_if(rows.begin(), rows.end(),
                               [&](const figure& each) { return each.name == name; }));
}

std::string cost_text(double ns) {
  return ns > 0 ? duration_text(ns) : "-";
}

std::string ceiling_text(const bench_outcome& outcome) {
  return fmt::format("without any transport the generator can start {} turns/s on this machine",
                     count_text(static_cast<uint64_t>(outcome.ceiling)));
}

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

std::string objective_text(const objective_outcome& outcome) {
  return outcome.asked.text + ": " + found_text(outcome);
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
