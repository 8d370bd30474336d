// Percentile distributions as HdrHistogram's own tools read and plot them.
#pragma once

#include <string>

#include "apps/bench/measure/latency_histogram.hpp"

namespace troupe::bench {

/// Returns the text of an .hgrm file; its values are milliseconds.
std::string report_hgrm(const latency_histogram& times);

} // namespace troupe::bench
