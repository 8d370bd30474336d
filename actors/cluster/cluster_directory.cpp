#include "actors/cluster/cluster_directory.hpp"

#include <memory>

#include <caf/all.hpp>

#include "actors/quiet.hpp"

namespace troupe {

namespace {

struct cluster_directory_state {
  static inline const char* name = "troupe.cluster_directory";

  std::unique_ptr<node_directory> nodes;
};

cluster_directory_actor::behavior_type
cluster_directory(cluster_directory_actor::stateful_pointer<cluster_directory_state> self,
                  const cluster_directory_config& config) {
  auto& state = self->state;
  quiet(self);
  state.nodes = config.store->directory();
  return {
      [&state](const find_owner& ask) { return state.nodes->find(ask); },
      [&state](const list_nodes&) { return state.nodes->nodes(); },
      [&state](const pick_node&) { return state.nodes->pick(); },
      [&state](const claim_orphan& ask) { return state.nodes->take(ask); },
  };
}

} // namespace

cluster_directory_actor spawn_cluster_directory(caf::local_actor& parent,
                                                cluster_directory_config config) {
  if (config.detached)
    return parent.spawn<caf::linked + caf::detached>(cluster_directory, config);
  return parent.spawn<caf::linked>(cluster_directory, config);
}

} // namespace troupe
