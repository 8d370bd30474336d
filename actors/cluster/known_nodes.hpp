// The nodes that this one has seen.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "messages/cluster/cluster_counts.hpp"
#include "messages/cluster/cluster_node.hpp"

namespace troupe {

/// Finds out which nodes came and went between two looks. Not thread safe.
class known_nodes {
public:
  /// Takes a look. @param counts get the numbers of nodes by state
  void update(const std::vector<cluster_node>& now, cluster_counts& counts);

  /// Returns the names that came, or went, with the last look; sorted.
  const std::vector<std::string>& came() const noexcept { return came_; }
  const std::vector<std::string>& gone() const noexcept { return gone_; }

private:
  std::set<std::string> names_; ///< of those that live
  std::vector<std::string> came_, gone_;
};

} // namespace troupe
