// Ids that no other process makes.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns `prefix` and 24 random characters of [0-9a-v] (120 bits). Any thread.
std::string make_id(std::string_view prefix);

} // namespace troupe
