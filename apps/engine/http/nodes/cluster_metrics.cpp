#include "apps/engine/http/nodes/cluster_metrics.hpp"

#include <chrono>

namespace troupe {

void write_cluster_metrics(prometheus_text& out, const cluster_store& cluster) {
  const auto counts = cluster.counts();
  const auto lease = cluster.lease();
  const auto number = [](const auto& count) { return static_cast<double>(count.load()); };
  out.family("troupe_cluster_nodes", metric_kind::gauge,
             "Nodes that the database knows, as of this node's last look.");
  out.sample({{"state", "serving"}}, number(counts->serving));
  out.sample({{"state", "draining"}}, number(counts->draining));
  out.sample({{"state", "dead"}}, number(counts->dead));
  out.single("troupe_cluster_lease_age_seconds", metric_kind::gauge,
             "Time since this node has renewed its lease.",
             std::chrono::duration<double>(lease->silence()).count());
  out.family("troupe_cluster_claims_total", metric_kind::counter,
             "Turns that wanted to claim their chat, by what came of it.");
  out.sample({{"result", "ok"}}, number(counts->claims));
  out.sample({{"result", "stale"}}, number(counts->stale));
  out.sample({{"result", "foreign"}}, number(counts->held_elsewhere));
  out.sample({{"result", "takeover"}}, number(counts->takeovers));
  out.single("troupe_cluster_fenced_total", metric_kind::counter,
             "Saves refused because another node has taken the chat.", number(counts->fenced));
  out.single("troupe_cluster_swept_turns_total", metric_kind::counter,
             "Turns of dead nodes that this node has interrupted.", number(counts->swept));
  out.single("troupe_cluster_given_back_total", metric_kind::counter,
             "Chats given back that this node had claimed and did not run.",
             number(counts->given_back));
}

} // namespace troupe
