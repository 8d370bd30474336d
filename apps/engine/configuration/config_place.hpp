// Where in a configuration's text something stands.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns "NAME:LINE:COLUMN: " of the key with whose path a message begins, as in
/// "limits.drainSeconds must be ...", or of what is nearest above it.
/// @param json a text without a fault, as plain_json() makes it
/// @param original the same text with its comments
std::string place_in(const std::string& name, std::string_view json, std::string_view original,
                     std::string_view message);

} // namespace troupe
