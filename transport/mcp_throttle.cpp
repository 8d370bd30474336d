#include "transport/mcp_throttle.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Also within the allowance many messages at once come in portions, so that others have their
/// turn: at most 10,000 a second.
constexpr size_t portion = 16;
constexpr std::chrono::microseconds rest_of_portion{1600};

} // namespace

mcp_throttle::mcp_throttle(const mcp_flood_limits& limits)
    : limits_{limits}, messages_{limits.message_burst}, bytes_{limits.byte_burst} {}

std::chrono::milliseconds mcp_throttle::take(size_t messages, size_t bytes, clock::time_point now) {
  const auto seconds =
      last_ == clock::time_point{} ? 0.0 : std::chrono::duration<double>(now - last_).count();
  last_ = now;
  const auto answers = std::min<uint64_t>(messages, expected_);
  expected_ -= answers;
  messages_ = std::min(limits_.message_burst, messages_ + seconds * limits_.messages_per_second) -
              static_cast<double>(messages - answers);
  bytes_ = std::min(limits_.byte_burst, bytes_ + seconds * limits_.bytes_per_second) -
           static_cast<double>(bytes);
  const auto debt =
      std::max(-messages_ / limits_.messages_per_second, -bytes_ / limits_.bytes_per_second);
  if (debt <= 0)
    return std::chrono::duration_cast<std::chrono::milliseconds>((messages - answers) / portion *
                                                                 rest_of_portion);
  return std::max(std::chrono::milliseconds{10},
                  std::chrono::milliseconds{static_cast<int64_t>(debt * 1000)});
}

} // namespace troupe
