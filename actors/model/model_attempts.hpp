// Decisions after a failed attempt to ask a model: another one, another model, or the error.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "messages/chat/model_config.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// How an attempt failed before its first event.
struct failed_attempt {
  errc code = errc::none;
  uint16_t status = 0;      ///< of the HTTP answer; 0 = none came
  std::string retry_after;  ///< as received; "" = none
  int8_t should_retry = -1; ///< x-should-retry: 0, 1; -1: not said
};

/// The decision about a failed attempt.
struct attempt_verdict {
  enum class step : uint8_t {
    again,     ///< the same model, after `delay`
    fall_back, ///< the next model, at once; without one the error is the answer
    give_up,   ///< another model would not do better
  };
  step next = step::give_up;
  std::chrono::milliseconds delay{0};
};

/// Returns how long Retry-After asks to wait: seconds, also with a fraction, or an HTTP date
/// ("Sun, 06 Nov 1994 08:49:37 GMT"); nothing for what is neither. Never negative.
/// @param now of the wall clock
std::optional<std::chrono::milliseconds> retry_delay(const std::string& retry_after,
                                                     std::chrono::system_clock::time_point now);

/// Returns the same as failure::retry_after_ms, from now on.
uint32_t milliseconds_until_retry(const std::string& retry_after);

/// Counts the attempts of one model request. Not thread safe.
///
/// Tried again is what may be better the next time: no connection, the statuses 408, 409, 425, 429
/// and 5xx, a model that says it is overloaded or failed, an answer that is cut; unless the server
/// says itself whether to. What took all the time it had, a quota that is used up, a model whose
/// slots are all taken, and one that does not want to be asked again, only lead to the fallback.
class model_attempts {
public:
  using milliseconds = std::chrono::milliseconds;

  /// That model is asked from now on, with all the attempts it is granted.
  void use(const model_config& model) noexcept;

  /// An attempt begins.
  void begin() noexcept {
    ++made_;
    ++total_;
  }

  /// Returns whether the attempt that runs is the model's last one.
  bool is_last() const noexcept { return made_ >= max_; }

  /// Returns the attempts of all models.
  uint32_t total() const noexcept { return total_; }

  /// Decides. Waits a random part of min(max_retry_delay, retry_delay * 2^n), or exactly as long as
  /// Retry-After says; never longer than max_retry_delay, nor than what is `left` of the total.
  /// @param chance in [0, 1): where in the delay the jitter falls
  /// @param now of the wall clock
  attempt_verdict failed(const failed_attempt& how, milliseconds left, double chance,
                         std::chrono::system_clock::time_point now) const;

private:
  milliseconds longest_backoff() const noexcept;

  uint32_t max_ = 1;
  milliseconds first_delay_{0};
  milliseconds max_delay_{0};
  uint32_t made_ = 0;
  uint32_t total_ = 0;
};

} // namespace troupe
