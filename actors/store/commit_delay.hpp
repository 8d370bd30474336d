// How long a store waits for more writes, so that they share a commit.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace troupe {

/// Decides it by how fast writes come and how many turns run (docs/decisions/0015). While few turns
/// run, whoever writes alone waits for nothing: nobody would share the commit. Not thread safe.
class commit_delay {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// While ten writes come in a millisecond, and the last commit had more than one.
  static constexpr std::chrono::microseconds when_crowded{200};

  /// While so many turns run that a write is a small part of what each of them waits for.
  static constexpr uint64_t many_turns = 1000;
  static constexpr std::chrono::microseconds for_each_turn{2};
  static constexpr std::chrono::microseconds longest{10'000};

  /// Returns how long to wait; zero: not at all. Called when the first write of a commit has come.
  /// @param writes that were taken up so far, this one among them
  /// @param running_turns of all chats, now
  std::chrono::microseconds after_first(time_point now, uint64_t writes, uint64_t running_turns);

  /// Notes how many writes a commit had.
  void committed(size_t writes) { last_size_ = writes; }

  /// Notes that more writes are there than one commit takes, or that they fail: until caught_up()
  /// nobody is waited for.
  void fell_behind() { behind_ = true; }

  /// Notes that all writes that were there have been taken up.
  void caught_up() { behind_ = false; }

private:
  time_point counted_{}; ///< when it was seen how many writes come
  uint64_t counted_writes_ = 0;
  bool crowded_ = false; ///< ten a millisecond came then
  bool behind_ = false;
  size_t last_size_ = 0;
};

} // namespace troupe
