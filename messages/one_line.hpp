// A text of others as one line, for an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// The treatment of tags of HTML and XML.
enum class markup : uint8_t { stays, is_left_out };

/// Returns the beginning of a text as one line: a blank for each run of blanks, line ends, controls
/// and tags that are left out, U+FFFD for what is no UTF-8, and "..." after it where it is cut.
/// @param max_bytes without the "..."
std::string one_line(std::string_view text, size_t max_bytes, markup tags);

} // namespace troupe
