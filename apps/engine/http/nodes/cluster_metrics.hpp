// The metrics of a node about its cluster.
#pragma once

#include "messages/cluster/cluster_store.hpp"
#include "messages/wire/prometheus.hpp"

namespace troupe {

/// Writes troupe_cluster_* metrics. Asks nobody. Any thread.
void write_cluster_metrics(prometheus_text& out, const cluster_store& cluster);

} // namespace troupe
