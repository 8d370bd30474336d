// The outcome for people at a terminal, on one screen.
#pragma once

#include <string>

#include "apps/bench/measure/run_result.hpp"
#include "apps/bench/report/report_head.hpp"

namespace troupe::bench {

/// Returns the report with a line end at its end. @param colour use the terminal's colours
std::string report_table(const report_head& head, const bench_outcome& outcome, bool colour);

} // namespace troupe::bench
