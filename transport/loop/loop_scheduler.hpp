// Runs CAF's actors on the loops: no worker threads, no clock thread, no wake-up within a shard.
#pragma once

#include <string_view>
#include <vector>

#include <caf/fwd.hpp>

namespace troupe {

class shards;

/// Names of actors (`caf::local_actor::name`), in memory that is never freed.
using roaming_names = std::vector<std::string_view>;

/// Makes an actor system that is built from `config` run its actors on `on`, with one clock per
/// shard. `on` must outlive the system. Call before the system is built; any thread.
/// Which shard runs an actor: a message from a loop's own callbacks moves it to that loop, where
/// its sockets are; a message from another actor reaches it on its last shard; all others are
/// spread in turn. Actors with a name in `roaming` have no sockets and are asked by all shards: a
/// resting one runs on the shard that asks it, before the actors that are ready there. This wakes
/// no other thread, and its spawned actors begin on that shard. Detached and blocking actors keep
/// their own threads. `scheduler.max-throughput` bounds the messages per turn of an actor (100
/// unless set); `scheduler.max-threads` and `scheduler.policy` have no effect.
///
/// The system may end before or after the loops stop, but not on a loop's thread. If the system's
/// destructor still waits for actors, the loops must run.
void load_loop_scheduler(caf::actor_system_config& config, shards& on, roaming_names roaming = {});

} // namespace troupe
