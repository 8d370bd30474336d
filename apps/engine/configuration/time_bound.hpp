// The longest time that a program can give.
#pragma once

#include <algorithm>
#include <chrono>

namespace troupe {

/// Ten years. A longer time, added to a clock's time, may overflow into the past.
inline constexpr std::chrono::milliseconds longest_time = std::chrono::hours{24 * 3652};

/// Returns `time`, or the longest one if that is less.
inline std::chrono::milliseconds bounded(std::chrono::milliseconds time) {
  return std::min(time, longest_time);
}

} // namespace troupe
