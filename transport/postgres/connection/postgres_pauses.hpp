// How long a connection waits between its tries.
#pragma once

#include <chrono>
#include <cstdint>
#include <random>

namespace troupe {

/// Pauses that grow and are scattered: those who lost the same server, or wait for it, must not ask
/// all at once. One thread at a time.
class postgres_pauses {
public:
  using milliseconds = std::chrono::milliseconds;

  /// @param seed of the scatter
  explicit postgres_pauses(uint32_t seed) : source_{seed} {}

  /// Returns the pause after a server refused, or could not be reached: 50 ms, doubled up to a
  /// second.
  milliseconds after_refusal();

  /// Returns the pause after a server took a connection and gave no answer in time: half a second,
  /// doubled up to 4 s. It may be slow, and makes a process for each connection that is begun.
  milliseconds after_silence();

  /// Has the pauses after refusals begin again.
  void forget_refusals() { refused_ = {}; }
  /// Has all begin again, since a connection was of use for a while.
  void forget() { refused_ = silent_ = {}; }

private:
  /// Returns at least the half of it.
  milliseconds scattered(milliseconds time);

  std::minstd_rand source_;
  milliseconds refused_{}, silent_{}; ///< the last ones, unscattered
};

} // namespace troupe
