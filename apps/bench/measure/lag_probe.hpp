// How late a lane's loop is, whatever the load asks of it.
#pragma once

#include "apps/bench/measure/latency_histogram.hpp"
#include "apps/bench/target/target.hpp"
#include "transport/loop/precise_timer.hpp"

namespace troupe::bench {

/// A timer that fires every 10 ms and records how late it was. In a closed loop no start is late,
/// as each waits for an end: only this shows a generator that gets no CPU. A loop that was blocked
/// records each time that it has missed. For the loop's thread only.
class lag_probe {
public:
  /// @param from the first time that is recorded is after it
  lag_probe(loop& home, time_point from);

  /// Records no more.
  void close() { open_ = false; }

  const latency_histogram& times() const { return times_; }

private:
  void fire();

  time_point due_;
  bool open_ = true;
  latency_histogram times_;
  precise_timer timer_;
};

} // namespace troupe::bench
