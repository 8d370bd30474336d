// The actor that answers where a turn runs.
#pragma once

#include <caf/local_actor.hpp>

#include "messages/cluster/cluster_store.hpp"
#include "messages/interfaces/cluster_interfaces.hpp"

namespace troupe {

/// A directory's database.
struct cluster_directory_config {
  cluster_store* store = nullptr; ///< outlives the actor
  bool detached = true;           ///< a thread of its own; false: it holds up the scheduler (tests)
};

/// Spawns the directory, linked to its parent. Each answer comes from the database, but for
/// pick_node, and has the reason if that cannot be asked.
cluster_directory_actor spawn_cluster_directory(caf::local_actor& parent,
                                                cluster_directory_config config);

} // namespace troupe
