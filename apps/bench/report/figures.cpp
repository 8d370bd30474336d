#include "apps/bench/report/figures.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "apps/bench/plan/plan_text.hpp"

namespace troupe::bench {

namespace {

double per(double seconds, uint64_t count) {
  return count == 0 ? 0 : seconds * 1e9 / static_cast<double>(count);
}

bool is_sweep(const bench_outcome& outcome) {
  return outcome.runs.front().plan.sweep.on;
}

bool has_knee(const bench_outcome& outcome) {
  return outcome.runs.front().plan.sweep.has_knee();
}

/// Returns where the first step above the knee is; the end if there is none.
size_t above_knee(const bench_outcome& outcome) {
  size_t at = 0;
  while (at < outcome.runs.size() && is_up_to_knee(outcome, outcome.runs[at]))
    ++at;
  return at;
}

} // namespace

void sort_steps(bench_outcome& outcome) {
  if (outcome.runs.empty() || !is_sweep(outcome))
    return;
  std::stable_sort(outcome.runs.begin(), outcome.runs.end(),
                   [](const auto& a, const auto& b) { return load_of(a.plan) < load_of(b.plan); });
}

std::string run_name(const bench_outcome& outcome, size_t index) {
  const auto& plan = outcome.runs[index].plan;
  if (!is_sweep(outcome))
    return fmt::format("run {}", index + 1);
  if (plan.sweep.of_history)
    return fmt::format("{} message{}", load_of(plan), load_of(plan) == 1 ? "" : "s");
  return plan.arrivals.kind == arrival_kind::concurrency ? fmt::format("{} at once", load_of(plan))
                                                         : fmt::format("{:.4g}/s", load_of(plan));
}

std::vector<std::string> doubts(const bench_outcome& outcome) {
  std::vector<std::string> out;
  auto add = [&](const run_result& run) {
    for (const auto& why : run.invalid)
      if (std::find(out.begin(), out.end(), why) == out.end())
        out.push_back(why);
  };
  if (outcome.runs.empty())
    return {"nothing was run"};
  if (!has_knee(outcome)) {
    for (const auto& run : outcome.runs)
      add(run);
    return out;
  }
  add(representative_run(outcome));
  if (auto above = above_knee(outcome); above < outcome.runs.size())
    add(outcome.runs[above]);
  return out;
}

bool objectives_met(const bench_outcome& outcome) {
  return std::all_of(outcome.objectives.begin(), outcome.objectives.end(),
                     [](const auto& each) { return each.met; });
}

double cpu_per_turn_ns(const run_result& run) {
  return run.cpu_per_turn() * 1e9;
}

double cpu_per_token_ns(const run_result& run) {
  return per(run.watched.cpu_seconds, run.tokens);
}

double own_cpu_per_turn_ns(const run_result& run) {
  return per(run.own.cpu_seconds, run.ended_within);
}

} // namespace troupe::bench
