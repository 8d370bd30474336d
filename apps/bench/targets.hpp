// Makes the targets of a plan.
#pragma once

#include <memory>

#include "apps/bench/plan/plan.hpp"
#include "apps/bench/target/target.hpp"
#include "transport/loop/loop.hpp"

namespace troupe::bench {

/// @param plan is copied @param lanes must outlive what is returned
std::unique_ptr<target_factory> make_targets(const bench_plan& plan, shards& lanes);

} // namespace troupe::bench
