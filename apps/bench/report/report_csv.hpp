// The outcome as one table with a figure per line, for spreadsheets.
#pragma once

#include <string>

#include "apps/bench/measure/run_result.hpp"

namespace troupe::bench {

/// Returns CSV (RFC 4180, lines end with \n) with the columns run, load, kind, figure, at, value:
///
///     run,load,kind,figure,at,value
///     run 1,120,total,started,,1200
///     run 1,120,quantile,first_text_ns,0.99,412345
///     run 1,120,second,ended,7,119
///
/// `at` is the quantile, the second from 0, or the code of `failures`.
std::string report_csv(const bench_outcome& outcome);

} // namespace troupe::bench
