// Bounds how much one MCP server may send: above it, reading stops for a while.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace troupe {

/// The allowance of one channel. A server that floods must not take the loop from other channels.
struct mcp_flood_limits {
  double messages_per_second = 1'000; ///< without answers to our requests
  double message_burst = 10'000;
  double bytes_per_second = 4.0 * 1024 * 1024;
  double byte_burst = 16.0 * 1024 * 1024;
};

/// Token buckets for messages and for bytes, and for each a small one that splits a burst into
/// portions. Answers to our requests are free: the tokens of a long answer are returned at its end.
/// Pure; any thread, one at a time.
class mcp_throttle {
public:
  using clock = std::chrono::steady_clock;

  explicit mcp_throttle(const mcp_flood_limits& limits);

  /// A request was sent: one more message is allowed, at any time.
  void expect_answer() noexcept { ++expected_; }

  /// Accounts for input and returns how long to stop reading; 0 = read on. At least 10 ms when the
  /// message tokens are used up; less while there are some, so that many messages come in portions;
  /// at least 4 ms because of bytes.
  std::chrono::milliseconds take(size_t messages, size_t bytes, clock::time_point now);

private:
  struct bucket {
    bucket(double most, double per_second) : size{most}, rate{per_second}, level{most} {}
    void drain(double seconds, double taken);
    double debt() const noexcept { return -level / rate; } ///< seconds until the level is 0

    double size, rate, level;
  };

  bucket messages_, bytes_;
  // Large input within the allowance also comes in portions, so that other channels have turns.
  bucket portion_{64, 5'000}; ///< of messages
  bucket byte_portion_{192.0 * 1024, 16.0 * 1024 * 1024};
  uint64_t expected_ = 0; // answers
  double unfinished_ = 0; // bytes since the end of the last message
  clock::time_point last_{};
};

} // namespace troupe
