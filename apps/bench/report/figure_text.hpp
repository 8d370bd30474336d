// Figures for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "apps/bench/measure/run_result.hpp"

namespace troupe::bench {

/// Returns a count with commas: "12,345".
std::string count_text(uint64_t count);

/// Returns "512 B", "27.3 KiB", "1.2 GiB".
std::string bytes_text(uint64_t bytes);

/// Returns a share from 0 to 1 as "99.98 %".
std::string percent_text(double share);

/// Returns what was found for an objective, in its unit, and of several runs how many met it.
std::string found_text(const objective_outcome& outcome);

/// Returns what a load is counted in: "sessions/s", "sessions at once" or "messages in the chat".
std::string_view load_unit(const bench_plan& plan);

/// Returns where the knee of a sweep is.
std::string knee_text(const bench_outcome& outcome);

} // namespace troupe::bench
