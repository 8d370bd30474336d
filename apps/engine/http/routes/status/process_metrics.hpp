// What the operating system says of this process.
#pragma once

#include "messages/wire/prometheus.hpp"

namespace troupe {

/// Writes process_* metrics under the names of Prometheus' client libraries; those that cannot be
/// read are left out. Any thread.
void write_process_metrics(prometheus_text& out);

} // namespace troupe
