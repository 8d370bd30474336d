#include "apps/engine/actor_setup.hpp"

#include <caf/logger.hpp>

#include "messages/interfaces/interfaces.hpp"
#include "transport/loop/loop.hpp"
#include "transport/loop/loop_scheduler.hpp"

namespace troupe {

namespace {

/// Messages that an actor may read before others get their turn.
constexpr size_t max_throughput = 100;

/// Returns the actors that run on the shard of their asker. Every turn asks them, and on a shard of
/// their own each question would wake two threads. A session begins where its hub runs, which is
/// then the shard of the client that made it. The MCP hub must not roam: its connections have to
/// live on the shards of their channels.
roaming_names asked_by_all() {
  return {"troupe.session_hub", "troupe.telemetry", "troupe.model_limiter",
          "troupe.resource_store"};
}

} // namespace

actor_setup::actor_setup(const std::string& scheduler, shards& on) {
  add_message_types<caf::id_block::troupe>();
  set("scheduler.max-throughput", max_throughput);
  if (scheduler == "loop") {
    load_loop_scheduler(*this, on, asked_by_all());
    return;
  }
  set("scheduler.policy", scheduler == "sharing" ? caf::atom("sharing") : caf::atom("stealing"));
  set("scheduler.max-threads", on.size());
}

loops_without_logger::~loops_without_logger() {
  for (size_t i = 0; i < of_.size(); ++i)
    of_.at(i).call([] { caf::logger::set_current_actor_system(nullptr); });
}

} // namespace troupe
