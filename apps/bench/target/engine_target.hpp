// An engine in this process as a target.
#pragma once

#include <memory>

#include "apps/bench/plan/plan.hpp"
#include "apps/bench/target/target.hpp"
#include "apps/engine/engine.hpp"
#include "transport/loop/loop.hpp"

namespace troupe::bench {

/// Reads the configuration of a target: the path of a file, JSON text that begins with '{', or ""
/// for the scripted model alone.
failure read_target_config(const target_spec& target, engine_config& out);

/// Makes an engine, which has event loops of its own, or says why there is none.
std::unique_ptr<engine> make_engine(engine_config config, failure& why);

/// One engine for all lanes; it holds the history of its chats. Times are taken on the engine's own
/// thread, when a batch of events comes.
class engine_targets final : public target_factory {
public:
  explicit engine_targets(const bench_plan& plan);

  failure check() override;
  std::unique_ptr<target> make(loop& lane) override;

private:
  bench_plan plan_;
  failure wrong_;
  std::unique_ptr<engine> engine_;
};

} // namespace troupe::bench
