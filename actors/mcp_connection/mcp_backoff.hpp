// When a connection that was lost is opened again.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace troupe {

/// Returns how long to wait before reconnection number `attempt` (from 0): min(30 s, 1 s *
/// 2^attempt).
inline std::chrono::milliseconds reconnect_delay(uint32_t attempt) {
  return std::chrono::milliseconds{1000} * std::min(30, 1 << std::min(attempt, 5U));
}

/// Counts attempts. A server that loses a connection within 10 s of its success is crash-looping:
/// its attempts count on. Not thread safe.
class mcp_backoff {
public:
  using clock = std::chrono::steady_clock;

  /// After this uptime the delay is reset.
  static constexpr std::chrono::seconds stable_after{10};

  enum class step : uint8_t {
    at_once, ///< the server only forgot the session
    wait,    ///< for `delay`
    give_up, ///< until somebody asks for a retry
  };

  struct verdict {
    step next = step::wait;
    std::chrono::milliseconds delay{0};
  };

  /// @param max_attempts that fail in a row; 0 = no end
  /// @param jitter waits a random part of each delay
  mcp_backoff(uint32_t max_attempts, bool jitter) : max_attempts_{max_attempts}, jitter_{jitter} {}

  /// The handshake is over.
  void connected(clock::time_point now) { connected_at_ = now; }

  /// The connection, or an attempt, is lost.
  /// @param chance in [0, 1): where in the delay the jitter falls
  verdict lost(clock::time_point now, bool session_lost, double chance) {
    auto since = std::exchange(connected_at_, {});
    if (since && now - *since >= stable_after)
      attempt_ = 0;
    if (since && session_lost && (!recovered_at_ || now - *recovered_at_ >= stable_after)) {
      recovered_at_ = now;
      return {step::at_once, {}};
    }
    if (max_attempts_ > 0 && attempt_ >= max_attempts_)
      return {step::give_up, {}};
    auto delay = reconnect_delay(attempt_++);
    if (jitter_)
      delay = std::chrono::duration_cast<std::chrono::milliseconds>(delay * chance);
    return {step::wait, delay};
  }

  /// The next loss of the session is no sign of a loop.
  void forgive() noexcept { recovered_at_.reset(); }

  /// Starts anew.
  void reset() noexcept { attempt_ = 0; }

  /// Returns the reconnections since the last lasting success.
  uint32_t attempt() const noexcept { return attempt_; }

private:
  uint32_t max_attempts_;
  bool jitter_;
  uint32_t attempt_ = 0;
  std::optional<clock::time_point> connected_at_;
  std::optional<clock::time_point> recovered_at_;
};

} // namespace troupe
