// One run of a plan, from its begin to its result.
#pragma once

#include <string>

#include "apps/bench/load/runner.hpp"

namespace troupe::bench {

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
