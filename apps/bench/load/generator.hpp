// The lanes of one run, seen from the thread that runs it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <sys/types.h>

#include "apps/bench/load/lane.hpp"
#include "apps/bench/measure/latency_histogram.hpp"
#include "apps/bench/measure/run_result.hpp"
#include "apps/bench/target/target.hpp"
#include "transport/loop/loop.hpp"
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

/// Makes a lane on every loop and takes it down again. One thread, not a loop's.
class generator {
public:
  /// The run begins at `begin`, of itself. All but `run_id` must outlive this.
  generator(const bench_plan& plan, shards& loops, target_factory& targets, time_point begin,
            const std::string& run_id);

  /// Cuts off what still runs.
  ~generator();
  generator(const generator&) = delete;
  generator& operator=(const generator&) = delete;

  /// Waits until the time `at`, or until all lanes are done. Returns whether they are done. Returns
  /// early, once, when the last lane has begun all its turns.
  bool wait_until(time_point at);

  /// Returns whether no turn will begin any more, on no lane.
  bool all_begun();

  /// Ends the measured time at `at`.
  void close_window(time_point at);

  /// Ends the run.
  void stop();

  /// Returns the CPU time that each lane's thread has used since it was started.
  std::vector<std::chrono::nanoseconds> cpu_times();

  /// Returns the ids of the lanes' threads.
  std::vector<pid_t> threads();

  lane_counts counts();

  /// Returns the seconds of all lanes before that number, added up.
  std::vector<lane_second> take_seconds(size_t before);

  /// Adds what the lanes have counted.
  void add_totals(run_result& to);

private:
  /// A lane and what it goes to, on its loop.
  struct place {
    std::unique_ptr<target> to;
    std::unique_ptr<lane> generates;
    std::unique_ptr<lag_probe> lag;
  };

  template <class Visit>
  void visit(const Visit& each);
  void count(size_t& lanes);

  shards& loops_;
  std::vector<place> places_;
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t lanes_begun_ = 0, lanes_over_ = 0; // guarded by mutex_
  bool begun_told_ = false;
};

} // namespace troupe::bench
