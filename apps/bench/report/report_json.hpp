// The outcome as JSON, for programs; docs/bench.md names its members.
#pragma once

#include <string>

#include "apps/bench/measure/run_result.hpp"
#include "apps/bench/report/report_head.hpp"
#include "messages/json.hpp"

namespace troupe::bench {

/// Returns one object, without a line end. Nothing secret is in it: of header fields only the
/// names, of a configuration given as text nothing.
std::string report_json(const report_head& head, const bench_outcome& outcome);

/// Appends the plan as an object.
void append_plan(json_buffer& out, const bench_plan& plan);

} // namespace troupe::bench
