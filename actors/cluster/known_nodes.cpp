#include "actors/cluster/known_nodes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace troupe {

void known_nodes::update(const std::vector<cluster_node>& now, cluster_counts& counts) {
  std::set<std::string> names;
  uint32_t by_state[3] = {0, 0, 0};
  for (const auto& each : now) {
    ++by_state[static_cast<size_t>(each.state)];
    if (each.state != cluster_state::dead)
      names.insert(each.name);
  }
  counts.serving = by_state[0];
  counts.draining = by_state[1];
  counts.dead = by_state[2];
  came_.clear();
  gone_.clear();
  std::ranges::set_difference(names, names_, std::back_inserter(came_));
  std::ranges::set_difference(names_, names, std::back_inserter(gone_));
  names_ = std::move(names);
}

} // namespace troupe
