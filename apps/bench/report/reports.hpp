// The reports of an outcome.
#pragma once

#include <string>

#include "apps/bench/measure/latency_histogram.hpp"
#include "apps/bench/measure/run_result.hpp"
#include "apps/bench/report/report_head.hpp"

namespace troupe::bench {

/// Returns the report for people at a terminal, on one screen, with a line end at its end.
/// @param colour use the terminal's colours
std::string report_table(const report_head& head, const bench_outcome& outcome, bool colour);

/// Returns the report for programs: one JSON object, without a line end; docs/bench.md names its
/// members. Nothing secret is in it: of header fields only the names, of a configuration given as
/// text nothing.
std::string report_json(const report_head& head, const bench_outcome& outcome);

/// Returns the report for spreadsheets, a figure per line: CSV (RFC 4180, lines end with \n) with
/// the columns run, load, kind, figure, at, value:
///
///     run,load,kind,figure,at,value
///     run 1,120,total,started,,1200
///     run 1,120,quantile,first_text_ns,0.99,412345
///     run 1,120,second,ended,7,119
///
/// `at` is the quantile, the second from 0, or the code of `failures`.
std::string report_csv(const bench_outcome& outcome);

/// Returns the report as one page that needs nothing else, no network and no other file: tables,
/// and plots where scripts may run.
std::string report_html(const report_head& head, const bench_outcome& outcome);

/// Returns the text of an .hgrm file, a percentile distribution as HdrHistogram's own tools read
/// and plot it; its values are milliseconds.
std::string report_hgrm(const latency_histogram& times);

} // namespace troupe::bench
