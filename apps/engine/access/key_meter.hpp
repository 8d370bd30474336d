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
/// even pace. A tenth of a minute's requests, at least 5, may come at once. Where other nodes let
/// the key in, too, this one has a part of the rate.
class key_meter {
public:
  using clock = std::chrono::steady_clock;

  explicit key_meter(uint32_t requests_per_minute) { limit(requests_per_minute); }

  /// Changes the rate. @param requests_per_minute 0: no limit
  void limit(uint32_t requests_per_minute) noexcept { per_minute_ = requests_per_minute; }

  /// Changes the part of the rate that is let in here. @param part above 0, at most 1
  void share(double part) noexcept { part_ = part; }

  /// Returns how many requests were counted since the last call.
  uint64_t take_count() noexcept { return counted_ == 0 ? 0 : counted_.exchange(0); }

  /// Counts a request. Returns 0, or how long it comes too early; then it is not counted.
  std::chrono::nanoseconds take(clock::time_point now = clock::now()) noexcept {
    auto seen = due_.load();
    for (;;) {
      const auto [due, early] = next(seen, now);
      if (early.count() > 0 || due == 0)
        return early;
      if (due_.compare_exchange_weak(seen, due)) {
        counted_.fetch_add(1, std::memory_order_relaxed);
        return {};
      }
    }
  }

  /// Returns how long a request would come too early now, or 0; counts nothing.
  std::chrono::nanoseconds early(clock::time_point now = clock::now()) const noexcept {
    return next(due_.load(), now).early;
  }

  /// Marks the key as revoked; its users look at is_revoked().
  void revoke() noexcept { revoked_ = true; }
  bool is_revoked() const noexcept { return revoked_; }

private:
  static constexpr double minute_ns = 60e9;

  struct step {
    int64_t due = 0;                  ///< of the request after this one; 0: there is no rate
    std::chrono::nanoseconds early{}; ///< how long this one comes too early
  };

  step next(int64_t seen, clock::time_point now) const noexcept {
    if (per_minute_ == 0)
      return {};
    const double rate = per_minute_ * part_;
    const std::chrono::nanoseconds pace{static_cast<int64_t>(minute_ns / rate)};
    const auto at_once = std::max<int64_t>(static_cast<int64_t>(rate / 10), 5);
    const auto time = std::chrono::nanoseconds{now.time_since_epoch()};
    const auto due = std::max(std::chrono::nanoseconds{seen}, time) + pace;
    return {due.count(), std::max(due - pace * at_once - time, std::chrono::nanoseconds{})};
  }

  std::atomic<int64_t> due_ = 0; ///< of the next request at an even pace, on the clock
  std::atomic<uint32_t> per_minute_ = 0;
  std::atomic<double> part_ = 1;
  std::atomic<uint64_t> counted_ = 0;
  std::atomic<bool> revoked_ = false;
};

} // namespace troupe
