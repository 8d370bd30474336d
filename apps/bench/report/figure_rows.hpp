// The tables that the terminal and the page show, as cells of text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "apps/bench/measure/run_result.hpp"

namespace troupe::bench {

using text_rows = std::vector<std::vector<std::string>>;
using text_facts = std::vector<std::pair<std::string, std::string>>;

/// Returns the quantiles of everything that was measured, a row each, below a row of heads.
text_rows time_rows(const run_result& run);

/// Returns a row per run, below a row of heads.
text_rows run_rows(const bench_outcome& outcome);

/// Returns whom the load went to, what it was, and on which machine the generator ran.
text_facts plan_facts(const bench_plan& plan);

/// Returns what became of the turns, and what they cost.
text_facts run_facts(const run_result& run);

} // namespace troupe::bench
