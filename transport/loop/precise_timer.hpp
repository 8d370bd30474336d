// A timer that is precise to a microsecond; libev's own timers are precise to a millisecond.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "transport/loop/loop.hpp"

namespace troupe {

/// A one-shot timer on a loop, over a descriptor of the kernel's (timerfd). Loop thread only;
/// destroying it stops it, also from within `fire`.
class precise_timer {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// @throws std::system_error where the process has no descriptor left
  precise_timer(loop& home, std::function<void()> fire);
  ~precise_timer();
  precise_timer(const precise_timer&) = delete;
  precise_timer& operator=(const precise_timer&) = delete;

  /// Fires once at that time, or in the next iteration if it has passed. A start while running
  /// restarts it. One system call.
  void start(time_point at);

private:
  struct impl;
  std::shared_ptr<impl> impl_;
};

} // namespace troupe
