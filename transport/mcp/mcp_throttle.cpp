#include "transport/mcp/mcp_throttle.hpp"

#include <algorithm>
#include <cmath>

namespace troupe {

namespace {

/// Shorter rests do not pay: a thousand rests a second cost more than reading the bytes.
constexpr double shortest_rest_from_bytes = 0.004;

} // namespace

void mcp_throttle::bucket::drain(double seconds, double taken) {
  level = std::min(size, level + seconds * rate) - taken;
}

mcp_throttle::mcp_throttle(const mcp_flood_limits& limits)
    : messages_{limits.message_burst, limits.messages_per_second}, bytes_{limits.byte_burst,
                                                                          limits.bytes_per_second} {
}

std::chrono::milliseconds mcp_throttle::take(size_t messages, size_t bytes, clock::time_point now) {
  const auto seconds =
      last_ == clock::time_point{} ? 0.0 : std::chrono::duration<double>(now - last_).count();
  last_ = now;
  const auto answers = std::min<uint64_t>(messages, expected_);
  expected_ -= answers;
  const auto unasked = static_cast<double>(messages - answers);
  unfinished_ += static_cast<double>(bytes);
  messages_.drain(seconds, unasked);
  portion_.drain(seconds, unasked);
  for (auto* each : {&bytes_, &byte_portion_}) {
    each->drain(seconds, static_cast<double>(bytes));
    if (messages > 0 && unasked == 0)
      each->drain(0, -unfinished_); // the bytes of answers are free
  }
  if (messages > 0)
    unfinished_ = 0;
  const auto in_ms = [](double debt) { // rounded up, but tolerates rounding errors of the sum
    return std::chrono::milliseconds{static_cast<int64_t>(std::ceil(debt * 1000 - 1e-6))};
  };
  const auto of_bytes = std::max(bytes_.debt(), byte_portion_.debt());
  const auto rest =
      in_ms(std::max({0.0, portion_.debt(), of_bytes < shortest_rest_from_bytes ? 0.0 : of_bytes}));
  if (const auto debt = messages_.debt(); debt > 0)
    return std::max({std::chrono::milliseconds{10}, in_ms(debt), rest});
  return rest;
}

} // namespace troupe
