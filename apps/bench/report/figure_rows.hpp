// The tables that the terminal and the page show, as cells of text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "apps/bench/measure/run_result.hpp"

namespace troupe::bench {

/// A table: rows of cells.
using text_rows = std::vector<std::vector<std::string>>;
/// Names and texts, a list of facts.
using text_facts = std::vector<std::pair<std::string, std::string>>;

/// Returns the quantiles of everything that was measured, a row each, below a row of heads.
text_rows time_rows(const run_result& run);

/// Returns a row per run, below a row of heads.
text_rows run_rows(const bench_outcome& outcome);

/// Returns the target and the load.
text_facts plan_facts(const bench_plan& plan);

/// Returns the outcomes of the turns, and their costs.
text_facts run_facts(const run_result& run);

} // namespace troupe::bench
