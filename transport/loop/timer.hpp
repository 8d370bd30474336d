// A one-shot timer of a loop.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace troupe {

class loop;

/// A one-shot timer on a loop. Loop thread only; destroying it stops it, also from within `fire`.
class timer {
public:
  timer(loop& home, std::function<void()> fire);
  ~timer();
  timer(const timer&) = delete;
  timer& operator=(const timer&) = delete;

  /// Fires once after `delay`; a start while running starts again.
  void start(std::chrono::milliseconds delay);
  void stop();

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace troupe
