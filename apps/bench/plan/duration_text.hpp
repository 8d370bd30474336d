// Durations as people write and read them.
#pragma once

#include <string>
#include <string_view>

#include "apps/bench/plan/plan.hpp"
#include "messages/errors.hpp"

namespace troupe::bench {

/// Reads "250ms", "0.5 ms", "5s", "1m": a number and one of ns, us, ms, s, m and h.
/// @return request_invalid with what is wrong; then `out` stays as it was
failure parse_duration(std::string_view text, nanoseconds& out);

/// Returns about three digits and the unit that fits: "0", "870 ns", "12.3 us", "1.05 ms", "12 s",
/// "2.5 min".
std::string duration_text(double ns);

/// Returns the exact length as parse_duration reads it: "250ms", "1500us", "0s".
std::string duration_option(nanoseconds length);

} // namespace troupe::bench
