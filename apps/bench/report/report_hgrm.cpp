#include "apps/bench/report/reports.hpp"

#include <fmt/format.h>

namespace troupe::bench {

namespace {

constexpr double ns_per_ms = 1e6;

} // namespace

std::string report_hgrm(const latency_histogram& times) {
  auto out = fmt::format("{:>12} {:>14} {:>10} {:>14}\n\n", "Value", "Percentile", "TotalCount",
                         "1/(1-Percentile)");
  times.percentiles([&](double quantile, int64_t value, uint64_t count) {
    auto at = static_cast<double>(value) / ns_per_ms;
    // The last line has no fourth column: its value is infinite.
    out += fmt::format("{:12.6f} {:1.12f} {:10}", at, quantile, count);
    out += quantile < 1 ? fmt::format(" {:14.2f}\n", 1 / (1 - quantile)) : "\n";
  });
  return out + fmt::format("#[Mean    = {:12.6f}, Max            = {:12.6f}]\n"
                           "#[Total count    = {:12}]\n",
                           times.mean_ns() / ns_per_ms,
                           static_cast<double>(times.max_ns()) / ns_per_ms, times.count());
}

} // namespace troupe::bench
