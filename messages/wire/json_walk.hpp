// Reading small JSON texts member by member, for what is too rare or too varied for a parser of its
// own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace troupe {

/// Calls `visit(key, value)` for each member of the object in `json`; the value is JSON text,
/// without space around it, and both views hold until `visit` returns. `visit` may walk again.
/// @return false when `json` is no object or breaks off, or when `visit` returned false
bool walk_object(std::string_view json,
                 const std::function<bool(std::string_view, std::string_view)>& visit);

/// Calls `visit(element)` for each element of the array in `json`; else as walk_object().
bool walk_array(std::string_view json, const std::function<bool(std::string_view)>& visit);

/// Returns the text of a JSON string, "" for any other JSON.
std::string string_of(std::string_view json);

/// Returns the number as a count: 0 for what is negative, too large or no number.
uint64_t count_of(std::string_view json);

} // namespace troupe
