#include "actors/store/commit_delay.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// The shortest time over which writes are counted.
constexpr std::chrono::milliseconds long_enough{4};

/// Writes count as crowded when the average distance between two is not longer than this.
constexpr std::chrono::microseconds close{100};

} // namespace

std::chrono::microseconds commit_delay::after_first(time_point now, uint64_t writes,
                                                    uint64_t running_turns) {
  if (const auto window = now - counted_; window >= long_enough) {
    const auto came = writes - std::exchange(counted_writes_, writes);
    crowded_ = static_cast<int64_t>(came) * close >= window;
    counted_ = now;
  }
  if (behind_)
    return std::chrono::microseconds{0};
  if (crowded_)
    return last_size_ > 1 ? when_crowded : std::chrono::microseconds{0};
  if (running_turns < many_turns)
    return std::chrono::microseconds{0};
  const auto longest_turns = static_cast<uint64_t>(longest / for_each_turn);
  return for_each_turn * static_cast<int64_t>(std::min(running_turns, longest_turns));
}

} // namespace troupe
