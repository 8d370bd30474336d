// The actor by which limits hold over all nodes.
#pragma once

#include <functional>
#include <vector>

#include <caf/local_actor.hpp>

#include "messages/cluster/cluster_store.hpp"
#include "messages/interfaces/cluster_interfaces.hpp"

namespace troupe {

/// The limits of a node of a cluster.
struct cluster_limits_config {
  cluster_store* store = nullptr; ///< outlives the actor

  /// Returns the requests of each key with a rate since the last call. On the actor's thread.
  /// Empty: there are no keys.
  std::function<std::vector<key_count>()> counts = {};
  /// Gets the parts of the rates that this node may use, each second. @param others of keys that
  /// are not named
  std::function<void(const std::vector<key_share>& parts, double others)> share = {};

  bool detached = true; ///< a thread of its own; false: it holds up the scheduler (tests)
};

/// Spawns the actor, linked to its parent. While the database cannot be asked the parts stay, and
/// owners with a limit get no places.
cluster_limits_actor spawn_cluster_limits(caf::local_actor& parent, cluster_limits_config config);

} // namespace troupe
