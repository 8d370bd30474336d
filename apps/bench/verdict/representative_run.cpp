#include "apps/bench/verdict/representative_run.hpp"

#include <algorithm>

#include "apps/bench/plan/plan_text.hpp"

namespace troupe::bench {

namespace {

const run_result& median_run(const std::vector<run_result>& runs) {
  std::vector<const run_result*> sorted;
  sorted.reserve(runs.size());
  for (const auto& each : runs)
    sorted.push_back(&each);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* left, const auto* right) {
    return left->turns_per_second() < right->turns_per_second();
  });
  return *sorted[(sorted.size() - 1) / 2];
}

bool has_less_load(const run_result& left, const run_result& right) {
  return load_of(left.plan) < load_of(right.plan);
}

/// Returns the highest load up to the knee, or the lowest of all.
const run_result& knee_run(const bench_outcome& outcome) {
  const auto* out = &*std::min_element(outcome.runs.begin(), outcome.runs.end(), has_less_load);
  for (const auto& each : outcome.runs)
    if (is_up_to_knee(outcome, each) && has_less_load(*out, each))
      out = &each;
  return *out;
}

} // namespace

const run_result& representative_run(const bench_outcome& outcome) {
  const auto& runs = outcome.runs;
  const auto& sweep = runs.front().plan.sweep;
  if (!sweep.on)
    return median_run(runs);
  return sweep.has_knee() ? knee_run(outcome)
                          : *std::max_element(runs.begin(), runs.end(), has_less_load);
}

bool is_up_to_knee(const bench_outcome& outcome, const run_result& run) {
  return load_of(run.plan) <= outcome.knee * 1.0001; // a load may have been rounded
}

} // namespace troupe::bench
