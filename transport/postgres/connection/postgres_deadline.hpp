// By when an answer of the database has to be there.
#pragma once

#include <chrono>
#include <cstdint>

namespace troupe {

/// The time of the present round trip, and the limit of what is asked until it is taken back. One
/// thread at a time.
class postgres_deadline {
public:
  using clock = std::chrono::steady_clock;
  using milliseconds = std::chrono::milliseconds;

  /// Has what takes longer from now on cancelled: store_timeout. Zero: no limit but the patience.
  void limit(milliseconds most);

  /// An answer of this many bytes is about to be asked for. While they come the limit is for each
  /// silence between them, and for all of them it is a second longer for each MiB. Means nothing
  /// without a limit.
  void expect(uint64_t bytes);

  bool is_limited() const noexcept { return limit_.count() > 0; }
  /// Returns whether the limit leaves no time for another round trip.
  bool is_used_up() const { return has_used(100); }
  /// Returns whether so much of the limit is over. @param percent 0 to 100
  bool has_used(unsigned percent) const;

  // -- the present round trip --------------------------------------------------------------------
  /// It begins. @param longest time of one that has no limit
  void begin(milliseconds longest);
  /// Something of its answer has come.
  void arrived();
  /// It is over by then, whatever comes.
  void set(clock::time_point until);
  /// It was too slow: the limit is used up, and it has so long to end.
  void cancel(milliseconds rest);

  bool is_over() const { return clock::now() >= until_; }
  clock::time_point until() const noexcept { return until_; }
  int time_left() const; ///< in milliseconds, rounded up

private:
  milliseconds limit_{0};
  clock::time_point until_{}, end_{};    ///< of the round trip, of what is limited
  bool expects_ = false, grows_ = false; ///< since expect(); the round trip, with what comes
};

} // namespace troupe
