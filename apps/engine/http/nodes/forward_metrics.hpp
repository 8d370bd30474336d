// Metrics of requests that went on to other nodes.
#pragma once

#include "apps/engine/http/nodes/forward_counts.hpp"
#include "messages/wire/prometheus.hpp"

namespace troupe {

/// Appends them.
void write_forward_metrics(prometheus_text& out, const forward_counts& counts);

} // namespace troupe
