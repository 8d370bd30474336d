// Which node this process is.
#pragma once

#include <memory>

#include "messages/cluster/cluster_counts.hpp"
#include "messages/cluster/node_lease.hpp"

namespace troupe {

/// The node that a store belongs to, and what becomes of its claims. Neither is nullptr.
struct postgres_self {
  std::shared_ptr<node_lease> lease;
  std::shared_ptr<cluster_counts> counts = std::make_shared<cluster_counts>();
};

} // namespace troupe
