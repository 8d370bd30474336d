// Counts of tokens as providers write them.
#pragma once

#include <cstdint>
#include <string_view>

namespace troupe {

/// Returns a count, also one in a string ("7"). 0 for what is none, as a negative number or more
/// than 10^12: no answer has as many tokens, and such a fault of a server would spoil all sums.
/// @param slice see json_slice.hpp
uint64_t token_count(std::string_view slice);

} // namespace troupe
