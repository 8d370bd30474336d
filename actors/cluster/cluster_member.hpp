// The actor that keeps this node's lease and sweeps dead nodes.
#pragma once

#include <chrono>
#include <memory>

#include <caf/local_actor.hpp>

#include "actors/running_turn_count.hpp"
#include "messages/cluster/cluster_store.hpp"
#include "messages/interfaces/cluster_interfaces.hpp"
#include "messages/ports/log_port.hpp"

namespace troupe {

/// A node of a cluster.
struct cluster_member_config {
  cluster_store* store = nullptr; ///< outlives the actor
  std::chrono::milliseconds beat{500};
  /// Running turns of all chats; not nullptr.
  std::shared_ptr<const running_turn_count> turns = std::make_shared<running_turn_count>();
  std::shared_ptr<log_port> log = {}; ///< nullptr: no log
  bool detached = true; ///< a thread of its own; false: it holds up the scheduler (tests)
};

/// Spawns the member, linked to its parent. Its end does not end the lease: a new one continues.
cluster_member_actor spawn_cluster_member(caf::local_actor& parent, cluster_member_config config);

} // namespace troupe
