// The actor by which limits hold over all nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <caf/local_actor.hpp>

#include "messages/cluster/cluster_store.hpp"
#include "messages/cluster/limit_port.hpp"
#include "messages/interfaces/cluster_interfaces.hpp"

namespace troupe {

/// Finds out the part of each key's rate that this node may use: what it took in the last seconds,
/// of what all nodes took; and at least its equal part, so that a key that comes to another node
/// is let in there at once. Where all nodes use all they may, the parts come to 1 together. Not
/// thread safe.
class key_shares {
public:
  /// A second has passed.
  /// @param counts the requests in it; a key is named once
  void note(const std::vector<key_count>& counts);

  /// Returns what the other nodes are to know; empty: nothing was used of late.
  std::vector<key_use> mine() const;

  /// Returns the parts of the keys that were used here of late. All others have the equal part.
  std::vector<key_share> parts(const std::vector<key_use>& others, uint32_t nodes) const;

private:
  std::map<std::string, double> used_; ///< requests, by key; each second the older ones count less
};

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
