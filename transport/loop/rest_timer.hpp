// When a channel that was sent too much is read again.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "transport/loop/loop.hpp"
#include "transport/loop/precise_timer.hpp"
#include "transport/loop/timer.hpp"

namespace troupe {

/// A one-shot timer for rests of some milliseconds, one after the other. A loop's own timer is the
/// timeout of its every wait, and one that is shorter than the kernel's tick has the machine's
/// clock set twice for each of them: beside a flood all others took twice as long in a virtual
/// machine. The kernel's own timer sets it once. A rest in which the loop has served others, with a
/// thousand iterations a second and more, becomes `beside_others` long: the channel then comes less
/// often, with more at a time, and few calls of others meet it. Loop thread only; may be stopped
/// and destroyed from within `fire`.
class rest_timer {
public:
  static constexpr std::chrono::milliseconds beside_others{64};

  rest_timer(loop& home, std::function<void()> fire);

  /// Fires once after `rest`, or later if others are served; without a rest in the loop's next
  /// iteration. A start while running starts anew, unless one of the two rests is 0.
  void start(std::chrono::milliseconds rest);
  void stop();

private:
  using clock = std::chrono::steady_clock;

  void end();

  loop& home_;
  std::function<void()> fire_;
  clock::time_point begun_{};
  std::chrono::milliseconds rest_{};
  unsigned iteration_ = 0;               ///< of the loop, in which the rest began
  std::optional<precise_timer> precise_; ///< since the first rest
  timer coarse_;                         ///< for when the process has no descriptor left
};

} // namespace troupe
