#include "apps/engine/actor_setup.hpp"

#include "messages/interfaces.hpp"
#include "transport/loop.hpp"
#include "transport/loop_scheduler.hpp"

namespace troupe {

namespace {

/// Messages that an actor may read before others get their turn.
constexpr size_t max_throughput = 100;

} // namespace

actor_setup::actor_setup(const std::string& scheduler, shards& on) {
  add_message_types<caf::id_block::troupe>();
  set("scheduler.max-throughput", max_throughput);
  if (scheduler == "loop") {
    load_loop_scheduler(*this, on);
    return;
  }
  set("scheduler.policy", scheduler == "sharing" ? caf::atom("sharing") : caf::atom("stealing"));
  set("scheduler.max-threads", on.size());
}

} // namespace troupe
