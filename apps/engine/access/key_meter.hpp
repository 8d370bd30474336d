// The request rate of one API key, in memory only.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace troupe {

/// The rate of one key and whether it was revoked; shared by all requests and connections that use
/// the key. Any thread.
///
/// The rate is a GCRA: one number, the time at which the requests so far would have ended at an
/// even pace. A tenth of a minute's requests, at least 5, may come at once.
class key_meter {
public:
  using clock = std::chrono::steady_clock;

  explicit key_meter(uint32_t requests_per_minute) { limit(requests_per_minute); }

  /// Changes the rate. @param requests_per_minute 0: no limit
  void limit(uint32_t requests_per_minute) noexcept { per_minute_ = requests_per_minute; }

  /// Counts a request. Returns 0, or how long it comes too early; then it is not counted.
  std::chrono::nanoseconds take(clock::time_point now = clock::now()) noexcept {
    const int64_t rate = per_minute_; // signed, as durations are
    if (rate == 0)
      return {};
    const auto step = std::chrono::nanoseconds{std::chrono::minutes{1}} / rate;
    const auto at_once = std::max<int64_t>(rate / 10, 5);
    const auto time = std::chrono::nanoseconds{now.time_since_epoch()};
    auto seen = due_.load();
    for (;;) {
      const auto due = std::max(std::chrono::nanoseconds{seen}, time) + step;
      const auto early = due - step * at_once - time;
      if (early.count() > 0)
        return early;
      if (due_.compare_exchange_weak(seen, due.count()))
        return {};
    }
  }

  /// Returns how long a request would come too early now, or 0; counts nothing.
  std::chrono::nanoseconds early(clock::time_point now = clock::now()) const noexcept {
    const int64_t rate = per_minute_;
    if (rate == 0)
      return {};
    const auto step = std::chrono::nanoseconds{std::chrono::minutes{1}} / rate;
    const auto time = std::chrono::nanoseconds{now.time_since_epoch()};
    const auto early = std::max(std::chrono::nanoseconds{due_.load()}, time) + step -
                       step * std::max<int64_t>(rate / 10, 5) - time;
    return std::max(early, std::chrono::nanoseconds{});
  }

  /// Marks the key as revoked; its users look at is_revoked().
  void revoke() noexcept { revoked_ = true; }
  bool is_revoked() const noexcept { return revoked_; }

private:
  std::atomic<int64_t> due_ = 0; ///< of the next request at an even pace, on the clock
  std::atomic<uint32_t> per_minute_ = 0;
  std::atomic<bool> revoked_ = false;
};

} // namespace troupe
