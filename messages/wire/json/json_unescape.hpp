// The escapes of JSON strings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace troupe {

/// How lone halves of surrogate pairs are written. `replaced`: as U+FFFD. `kept_at_ends`: a low
/// half at the beginning and a high half at the end of the text become the three bytes of WTF-8, so
/// that the text before or after can still complete them (see surrogate_joiner).
enum class lone_halves : bool { replaced, kept_at_ends };

/// Returns the inside of a JSON string without its escapes. The result ends at an escape that JSON
/// does not know.
/// @param slash position of the first backslash
std::string unescaped(std::string_view literal, size_t slash, lone_halves halves);

} // namespace troupe
