#include "apps/bench/targets.hpp"

#include "apps/bench/target/engine_target.hpp"
#include "apps/bench/target/http/http_target.hpp"
#include "apps/bench/target/mcp_target.hpp"

namespace troupe::bench {

std::unique_ptr<target_factory> make_targets(const bench_plan& plan, shards& lanes) {
  switch (plan.target.kind) {
  case target_kind::engine:
    return std::make_unique<engine_targets>(plan);
  case target_kind::mcp:
    return std::make_unique<mcp_targets>(plan);
  default:
    return std::make_unique<http_targets>(plan, lanes);
  }
}

} // namespace troupe::bench
