// The outcome as one page that needs nothing else: no network, no other file.
#pragma once

#include <string>

#include "apps/bench/measure/run_result.hpp"
#include "apps/bench/report/report_head.hpp"

namespace troupe::bench {

/// Returns the page: tables, and plots where scripts may run.
std::string report_html(const report_head& head, const bench_outcome& outcome);

} // namespace troupe::bench
