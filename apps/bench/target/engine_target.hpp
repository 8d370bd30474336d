// An engine in this process as a target.
#pragma once

#include <memory>
#include <vector>

#include "apps/bench/plan/plan.hpp"
#include "apps/bench/target/target.hpp"
#include "apps/engine/engine.hpp"
#include "messages/chat/events.hpp"
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

/// Turns the events of one turn into observations, as native_answer_reader does with their names.
class event_observations {
public:
  /// Appends the observations of a batch to `out`, with the time `at`.
  /// @param stop_expected whether an abort is the turn's proper end
  void read(const event_batch& batch, time_point at, bool stop_expected,
            std::vector<turn_observation>& out);

private:
  uint64_t bytes_ = 0; ///< of texts
  bool begun_ = false;
  bool aborted_ = false;
};

} // namespace troupe::bench
