#include "transport/mcp_throttle.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Also within the allowance messages that nobody asked for come in portions, so that others have
/// their turn.
constexpr double portion = 16;
constexpr double portion_messages_per_second = 5'000;

} // namespace

mcp_throttle::mcp_throttle(const mcp_flood_limits& limits)
    : limits_{limits}, messages_{limits.message_burst}, bytes_{limits.byte_burst}, portion_{
                                                                                       portion} {}

std::chrono::milliseconds mcp_throttle::take(size_t messages, size_t bytes, clock::time_point now) {
  const auto seconds =
      last_ == clock::time_point{} ? 0.0 : std::chrono::duration<double>(now - last_).count();
  last_ = now;
  const auto answers = std::min<uint64_t>(messages, expected_);
  expected_ -= answers;
  const auto unasked = static_cast<double>(messages - answers);
  const auto fill = [seconds](double& bucket, double most, double rate, double taken) {
    bucket = std::min(most, bucket + seconds * rate) - taken;
    return -bucket / rate; // how long until it is even
  };
  const auto debt = std::max(
      fill(messages_, limits_.message_burst, limits_.messages_per_second, unasked),
      fill(bytes_, limits_.byte_burst, limits_.bytes_per_second, static_cast<double>(bytes)));
  const auto rest = fill(portion_, portion, portion_messages_per_second, unasked);
  if (debt > 0)
    return std::max(std::chrono::milliseconds{10},
                    std::chrono::milliseconds{static_cast<int64_t>(debt * 1000)});
  return std::chrono::milliseconds{static_cast<int64_t>(std::max(0.0, rest) * 1000)};
}

} // namespace troupe
