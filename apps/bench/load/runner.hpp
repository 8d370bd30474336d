// Runs a plan: the generator's lanes, the watched process, repeats and sweeps.
#pragma once

#include <functional>
#include <string>

#include "apps/bench/measure/run_result.hpp"
#include "apps/bench/target/target.hpp"
#include "transport/loop/loop.hpp"

namespace troupe::bench {

/// How a run goes on, once a second.
struct progress {
  double seconds = 0; ///< since its begin, with the warm-up
  bool warming_up = false;
  uint64_t running = 0, ended = 0, failed = 0; ///< ended and failed: since its begin
  double turns_per_second = 0;                 ///< of the last second
  double first_text_p99_ns = 0;                ///< of the last second
  std::string step;                            ///< of a sweep: "rate 120", "repeat 2"
};

/// Observers of a run; `stopped` may end it. Both are called once a second, on the thread of run().
struct run_watch {
  std::function<void(const progress&)> tell = [](const progress&) {};
  std::function<bool()> stopped = [] { return false; }; ///< true ends it, with what there is
};

/// Runs everything that the plan asks for; blocks until it is over. Not from a loop's thread.
/// @param lanes those that `targets` was made with; a lane of the generator runs on each of them
bench_outcome run(const bench_plan& plan, shards& lanes, target_factory& targets,
                  const run_watch& watch);

/// Returns how many turns per second the generator can start on this machine, measured against a
/// target in this process that answers at once. Takes about a second.
double ceiling(const bench_plan& plan);

/// The loops and the target of a run, and the callbacks that get its progress.
struct run_place {
  shards& lanes;
  target_factory& targets;
  const run_watch& watch;
};

/// Runs the plan once, whatever its sweep and repeats say; blocks. The verdict is not filled in.
/// @param step what progress calls it
run_result run_once(const bench_plan& plan, const run_place& where, const std::string& step);

} // namespace troupe::bench
