// A tool of an MCP server as a target.
#pragma once

#include <memory>
#include <string>

#include "apps/bench/plan/plan.hpp"
#include "apps/bench/target/target.hpp"
#include "apps/engine/engine.hpp"
#include "transport/loop/loop.hpp"

namespace troupe::bench {

/// One connection to the server, through an engine's MCP host, for all lanes; each turn is one call
/// of the tool, with `tool_start`, `tool_end` and `end`. A tool that reports an error has failed.
/// The plan alone decides how many calls run at once: `maxParallel` of the server counts for
/// nothing. A cancelled call runs to its end, unseen.
class mcp_targets final : public target_factory {
public:
  explicit mcp_targets(const bench_plan& plan);

  /// Waits until the server is connected and looks for the tool among those that it lists.
  failure check() override;
  std::unique_ptr<target> make(loop& lane) override;

  /// Returns the server, when it was started here.
  int pid() const override;
  std::string route_note() const override;

  /// The engine's threads, because the engine is the client of the server.
  bool has_own_threads() const override { return true; }

private:
  failure find_server(engine_config& config);

  target_spec target_;
  failure wrong_;
  std::unique_ptr<engine> engine_;
};

} // namespace troupe::bench
