// How long a store waits for more writes, so that they share a commit.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace troupe {

/// Decides by the rate of writes and the number of running turns (docs/decisions/0015). A single
/// write waits for nothing while few turns run: no other would share its commit. Not thread safe.
class commit_delay {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// The delay while ten writes come in a millisecond and the last commit had more than one.
  static constexpr std::chrono::microseconds when_crowded{200};

  /// With this many running turns a write is a small part of the time that a turn takes.
  static constexpr uint64_t many_turns = 1000;
  static constexpr std::chrono::microseconds for_each_turn{2};
  static constexpr std::chrono::microseconds longest{10'000};

  /// Returns how long to wait; zero: not at all. Called when the first write of a commit has come.
  /// @param writes total taken up so far, including this one
  /// @param running_turns of all chats, now
  std::chrono::microseconds after_first(time_point now, uint64_t writes, uint64_t running_turns);

  /// Notes how many writes a commit had.
  void committed(size_t writes) { last_size_ = writes; }

  /// Notes that more writes wait than one commit takes, or that writes fail. There is no delay
  /// until caught_up().
  void fell_behind() { behind_ = true; }

  /// Notes that all waiting writes have been taken up.
  void caught_up() { behind_ = false; }

private:
  time_point counted_{}; ///< when the rate of writes was measured last
  uint64_t counted_writes_ = 0;
  bool crowded_ = false; ///< at that time ten writes came in a millisecond
  bool behind_ = false;
  size_t last_size_ = 0;
};

} // namespace troupe
