// Figures that all reports show, worked out once.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "apps/bench/measure/run_result.hpp"
#include "apps/bench/verdict/sweep.hpp"

namespace troupe::bench {

/// A quantile and its name in tables.
struct named_quantile {
  std::string_view name;
  double at; ///< 0 to 1
};

/// The quantiles of tables; the largest value is shown beside them.
inline constexpr std::array shown_quantiles{
    named_quantile{"p50", 0.5}, named_quantile{"p90", 0.9}, named_quantile{"p95", 0.95},
    named_quantile{"p99", 0.99}, named_quantile{"p99.9", 0.999}};

/// Orders the steps of a sweep by their load, as all reports expect them; they come in the order in
/// which they were run.
void sort_steps(bench_outcome& outcome);

/// Returns the run's name among several: "run 2", or of a sweep its load, "120/s" or "64 at once".
std::string run_name(const bench_outcome& outcome, size_t index);

/// Returns why the outcome is not valid; empty: it is. Of a sweep only the step at the knee and the
/// next one count: a generator at its own limit looks like a knee of the target.
std::vector<std::string> doubts(const bench_outcome& outcome);

bool objectives_met(const bench_outcome& outcome);

/// Returns the watched process's CPU time per turn that ended well, in nanoseconds; 0: unknown.
double cpu_per_turn_ns(const run_result& run);
double cpu_per_token_ns(const run_result& run);

/// Returns the generator's own CPU time per turn, in nanoseconds.
double own_cpu_per_turn_ns(const run_result& run);

} // namespace troupe::bench
