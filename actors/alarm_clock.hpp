// When an actor has to be woken next.
#pragma once

#include <chrono>

namespace troupe {

/// A point in time that never comes.
inline constexpr auto never = std::chrono::steady_clock::time_point::max();

/// Keeps CAF's delayed messages, which cannot be taken back, to the ones that are needed. Not
/// thread safe.
class alarm_clock {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Returns whether a wake-up has to be sent for `at`; not when an earlier one is under way.
  bool wants(time_point at) noexcept {
    if (at >= armed_)
      return false;
    armed_ = at;
    return true;
  }

  /// How much too early a wake-up may come.
  static constexpr std::chrono::milliseconds tolerance{5};

  /// Takes a wake-up. Returns false for one that an earlier wish has made needless.
  bool rings(time_point now) noexcept {
    if (now + tolerance < armed_)
      return false;
    armed_ = never;
    return true;
  }

private:
  time_point armed_ = never;
};

} // namespace troupe
