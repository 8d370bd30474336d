#include "transport/mcp_throttle.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Also within the allowance much at once comes in portions, so that others have their turn.
constexpr double message_portion = 16;
constexpr double messages_of_burst_per_second = 5'000;
constexpr double byte_portion = 1024.0 * 1024;
constexpr double bytes_of_burst_per_second = 32.0 * 1024 * 1024;

} // namespace

void mcp_throttle::bucket::drain(double seconds, double taken) {
  level = std::min(size, level + seconds * rate) - taken;
}

mcp_throttle::mcp_throttle(const mcp_flood_limits& limits)
    : messages_{limits.message_burst, limits.messages_per_second}, bytes_{limits.byte_burst,
                                                                          limits.bytes_per_second},
      message_portion_{message_portion, messages_of_burst_per_second},
      byte_portion_{byte_portion, bytes_of_burst_per_second} {}

std::chrono::milliseconds mcp_throttle::take(size_t messages, size_t bytes, clock::time_point now) {
  const auto seconds =
      last_ == clock::time_point{} ? 0.0 : std::chrono::duration<double>(now - last_).count();
  last_ = now;
  const auto answers = std::min<uint64_t>(messages, expected_);
  expected_ -= answers;
  const auto unasked = static_cast<double>(messages - answers);
  unfinished_ += static_cast<double>(bytes);
  messages_.drain(seconds, unasked);
  message_portion_.drain(seconds, unasked);
  bytes_.drain(seconds, static_cast<double>(bytes));
  byte_portion_.drain(seconds, static_cast<double>(bytes));
  if (messages > 0 && unasked == 0) { // what was taken for them is given back
    bytes_.drain(0, -unfinished_);
    byte_portion_.drain(0, -unfinished_);
  }
  if (messages > 0)
    unfinished_ = 0;
  const auto in_ms = [](double debt) {
    return std::chrono::milliseconds{static_cast<int64_t>(debt * 1000)};
  };
  if (const auto debt = std::max(messages_.debt(), bytes_.debt()); debt > 0)
    return std::max(std::chrono::milliseconds{10}, in_ms(debt));
  return in_ms(std::max({0.0, message_portion_.debt(), byte_portion_.debt()}));
}

} // namespace troupe
