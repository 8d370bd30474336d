// Bounds how many log messages of one server are passed on.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace troupe {

/// A token bucket. Not thread safe.
class mcp_log_limit {
public:
  using time_point = std::chrono::steady_clock::time_point;

  static constexpr double burst = 100;
  static constexpr double per_second = 20;

  /// Returns whether a message may pass now; counts it if not.
  bool passes(time_point now) {
    std::chrono::duration<double> past = now - std::max(last_, now - std::chrono::minutes{1});
    tokens_ = std::min(burst, tokens_ + past.count() * per_second);
    last_ = now;
    if (tokens_ < 1) {
      ++dropped_;
      return false;
    }
    tokens_ -= 1;
    return true;
  }

  /// Returns how many were held back since the last call.
  uint64_t take_dropped() { return std::exchange(dropped_, 0); }

  uint64_t dropped() const noexcept { return dropped_; }

private:
  double tokens_ = burst;
  uint64_t dropped_ = 0;
  time_point last_{};
};

} // namespace troupe
