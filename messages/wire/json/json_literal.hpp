// Where a JSON string ends, for code that knows the text around it and needs no parser.
#pragma once

#include <cstddef>
#include <string_view>

namespace troupe {

/// Returns the place of the closing quote of the JSON string whose inside begins at `at`, or npos
/// if it has none or is broken. Escapes are skipped unchecked: the code that reads the string
/// checks them.
size_t end_of_json_string(std::string_view text, size_t at) noexcept;

} // namespace troupe
