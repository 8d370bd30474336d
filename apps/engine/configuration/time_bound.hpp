// The longest time that a program can give.
#pragma once

#include <algorithm>
#include <chrono>

namespace troupe {

/// A longer time, added to what a clock says, may be before it.
inline constexpr std::chrono::milliseconds longest_time = std::chrono::hours{24 * 3652};

/// Returns `time`, or the longest one if that is less.
inline std::chrono::milliseconds bounded(std::chrono::milliseconds time) {
  return std::min(time, longest_time);
}

} // namespace troupe
