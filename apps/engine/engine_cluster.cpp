// The parts of an engine that is a node of a cluster.
#include <utility>

#include "actors/cluster/cluster_directory.hpp"
#include "actors/cluster/cluster_limits.hpp"
#include "actors/cluster/cluster_member.hpp"
#include "apps/engine/engine_impl.hpp"

namespace troupe {

void engine::impl::add_cluster(std::vector<child_spec>& out,
                               std::shared_ptr<const running_turn_count> turns) {
  if (!in_cluster())
    return;
  cluster_member_config member;
  member.store = store->cluster();
  member.beat = config.cluster->beat;
  member.turns = std::move(turns);
  member.log = config.log;
  out.push_back(make_child(cluster_member_name, [member](auto& parent) {
    return spawn_cluster_member(parent, member);
  }));
  const cluster_directory_config directory{store->cluster()};
  auto made = make_child(cluster_directory_name, [directory](auto& parent) {
    return spawn_cluster_directory(parent, directory);
  });
  made.drops_queue = true; // whoever asked is gone by then
  out.push_back(std::move(made));
  add_limits(out);
}

mcp_port& engine::impl::servers() {
  if (!in_cluster())
    return channels;
  remote_channels = std::make_unique<node_channels>(loops, http, channels, *config.cluster);
  remote_channels->port().run_in(system);
  return remote_channels->port();
}

void engine::impl::add_limits(std::vector<child_spec>& out) {
  cluster_limits_config limits;
  limits.store = store->cluster();
  if (config.auth.keys) {
    limits.counts = [keys = api.keys()] { return keys->take_counts(); };
    limits.share = [keys = api.keys()](const std::vector<key_share>& parts, double others) {
      keys->share(parts, others);
    };
  }
  out.push_back(make_child(cluster_limits_name, [limits](auto& parent) {
    return spawn_cluster_limits(parent, limits);
  }));
}

} // namespace troupe
