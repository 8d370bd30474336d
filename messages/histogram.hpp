// A histogram as Prometheus wants it: values are counted against bounds that never change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace troupe {

/// Counts values per bucket. A value belongs to the first bound that is not below it, else to the
/// last bucket, which has no bound. Not thread safe.
class histogram {
public:
  /// @param bounds ascending; static storage
  explicit histogram(std::span<const double> bounds)
      : bounds_{bounds}, counts_(bounds.size() + 1) {}

  void observe(double value) {
    auto found = std::lower_bound(bounds_.begin(), bounds_.end(), value);
    ++counts_[static_cast<size_t>(found - bounds_.begin())];
    sum_ += value;
  }

  std::span<const double> bounds() const noexcept { return bounds_; }

  /// Returns how many values each bucket has, the one beyond all bounds last.
  std::span<const uint64_t> counts() const noexcept { return counts_; }

  double sum() const noexcept { return sum_; }

private:
  std::span<const double> bounds_;
  std::vector<uint64_t> counts_;
  double sum_ = 0;
};

} // namespace troupe
