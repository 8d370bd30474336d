// The operations that a database of several nodes has beside a store_port.
#pragma once

#include <memory>

#include "messages/cluster/cluster_counts.hpp"
#include "messages/cluster/limit_port.hpp"
#include "messages/cluster/member_port.hpp"
#include "messages/cluster/node_lease.hpp"

namespace troupe {

/// The node's place in its cluster. Belongs to a store_port and lives as long; any thread.
class cluster_store {
public:
  virtual ~cluster_store() = default;

  /// Returns what keeps this node's lease.
  virtual member_port& members() = 0;
  /// Opens what answers questions about nodes.
  virtual std::unique_ptr<node_directory> directory() = 0;
  /// Opens what limits are shared by.
  virtual std::unique_ptr<limit_port> limits() = 0;
  virtual std::shared_ptr<const node_lease> lease() const = 0;
  virtual std::shared_ptr<cluster_counts> counts() const = 0;
};

} // namespace troupe
