// The timer that ends a channel's rest: reading stops for a while after a flood.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "transport/loop/loop.hpp"
#include "transport/loop/precise_timer.hpp"
#include "transport/loop/timer.hpp"

namespace troupe {

/// A one-shot timer for rests of some milliseconds, one after the other. A loop's own timer is the
/// timeout of its every wait, and a timeout shorter than the kernel's tick makes the kernel set the
/// machine's clock twice per wait: beside a flood, the calls of other channels took twice as long
/// in a virtual machine. The kernel's own timer (timerfd) sets the clock once. If the loop serves
/// other channels during a rest, with a thousand iterations a second or more, the rest becomes
/// `beside_others` long: the flooding channel is then read less often, with more bytes at a time,
/// and few calls of others meet it. Loop thread only; may be stopped and destroyed from within
/// `fire`.
class rest_timer {
public:
  static constexpr std::chrono::milliseconds beside_others{64};

  rest_timer(loop& home, std::function<void()> fire);

  /// Fires once after `rest`, or later if other channels are served; with no rest, in the loop's
  /// next iteration. A start while running restarts it, unless one of the two rests is 0.
  void start(std::chrono::milliseconds rest);
  void stop();

private:
  using clock = std::chrono::steady_clock;

  void end();

  loop& home_;
  std::function<void()> fire_;
  clock::time_point begun_{};
  std::chrono::milliseconds rest_{};
  unsigned iteration_ = 0;               ///< the loop's iteration in which the rest began
  std::optional<precise_timer> precise_; ///< since the first rest
  timer coarse_;                         ///< used when the process has no free descriptor
};

} // namespace troupe
