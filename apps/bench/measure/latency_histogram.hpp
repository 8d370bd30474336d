// Durations, counted with three significant digits: HdrHistogram, so that high quantiles are exact
// and runs can be merged.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

struct hdr_histogram;

namespace troupe::bench {

/// Counts durations from 1 ns to 1 h; what is longer counts as 1 h. Not thread safe. Values of an
/// empty one are 0. Takes memory only once it has a value.
class latency_histogram {
public:
  latency_histogram() = default;
  latency_histogram(const latency_histogram& other);
  latency_histogram& operator=(const latency_histogram& other);
  latency_histogram(latency_histogram&&) noexcept = default;
  latency_histogram& operator=(latency_histogram&&) noexcept = default;
  ~latency_histogram() = default;

  void record(std::chrono::nanoseconds value, uint64_t times = 1);
  void add(const latency_histogram& other);

  uint64_t count() const;
  double mean_ns() const;
  int64_t max_ns() const;
  int64_t min_ns() const;

  /// @param quantile 0 to 1
  int64_t quantile_ns(double quantile) const;

  /// Calls `visit(quantile, value_ns, count so far)` along the percentile axis, as an .hgrm file
  /// has it.
  void percentiles(const std::function<void(double, int64_t, uint64_t)>& visit) const;

private:
  struct closer {
    void operator()(hdr_histogram* it) const;
  };
  std::unique_ptr<hdr_histogram, closer> counts_;
};

} // namespace troupe::bench
