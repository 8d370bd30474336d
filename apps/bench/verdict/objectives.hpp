// Limits that a run has to keep, as text: "first_text:p99<0.5ms", "good>0.99".
#pragma once

#include <string_view>
#include <vector>

#include "apps/bench/measure/run_result.hpp"
#include "messages/errors.hpp"

namespace troupe::bench {

/// Reads one objective: METRIC:pNN<TIME or METRIC:max<TIME, where NN is a percentage ("p99.9"); or
/// good|failed|turns_per_second followed by <, <=, > or >= and a number ("0.99", "1%").
/// Times have a unit: ns, us, ms, s or m.
/// @return config_invalid, with what was wrong in which part
failure parse_objective(std::string_view text, objective& out);

/// Judges one run. A time without measurements is not met. A time of the target is not met either
/// if more turns failed than the quantile leaves room for: failed turns have no times, which could
/// have been of any length.
objective_outcome judge(const objective& asked, const run_result& run);

/// Judges repeats by the median of the figure; of an even number by the worse one of the two in the
/// middle. The objective is met if more than half of the runs met it.
objective_outcome judge(const objective& asked, const std::vector<run_result>& runs);

} // namespace troupe::bench
