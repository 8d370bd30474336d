#include "actors/cluster/cluster_directory.hpp"

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include <caf/all.hpp>

#include "actors/quiet.hpp"

namespace troupe {

namespace {

/// How long a list of those that take turns is used.
constexpr std::chrono::milliseconds longest_use{500};

struct cluster_directory_state {
  static inline const char* name = "troupe.cluster_directory";

  explicit cluster_directory_state(caf::local_actor* ptr) : self{ptr} {}

  /// A node that is picked has a turn more from then on.
  chat_owner pick(const pick_node& ask) {
    const auto now = self->system().clock().now();
    if (ask.failed != 0 || candidates.empty() || now - taken >= longest_use)
      if (auto error = list_candidates(now))
        return {std::move(error), 0, 0, ""};
    cluster_node* out = nullptr;
    for (auto& each : candidates)
      if (out == nullptr || load(each, ask.failed) < load(*out, ask.failed))
        out = &each;
    if (out == nullptr)
      return {};
    ++out->running;
    return {{}, out->incarnation, 0, out->address};
  }

  /// The one that failed is the last choice.
  static std::pair<bool, uint32_t> load(const cluster_node& of, uint64_t failed) {
    return {of.incarnation == failed, of.running};
  }

  failure list_candidates(caf::actor_clock::time_point now) {
    auto list = nodes->nodes();
    if (list.error)
      return list.error;
    std::erase_if(list.nodes, [this](const cluster_node& each) {
      return each.state != cluster_state::serving || each.incarnation == lease->incarnation();
    });
    candidates = std::move(list.nodes);
    taken = now;
    return {};
  }

  caf::local_actor* self;
  std::unique_ptr<node_directory> nodes;
  std::shared_ptr<const node_lease> lease;
  std::vector<cluster_node> candidates; ///< of turns
  caf::actor_clock::time_point taken{};
};

cluster_directory_actor::behavior_type
cluster_directory(cluster_directory_actor::stateful_pointer<cluster_directory_state> self,
                  const cluster_directory_config& config) {
  auto& state = self->state;
  quiet(self);
  state.nodes = config.store->directory();
  state.lease = config.store->lease();
  return {
      [&state](const find_owner& ask) { return state.nodes->find(ask); },
      [&state](const list_nodes&) { return state.nodes->nodes(); },
      [&state](const pick_node& ask) { return state.pick(ask); },
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
