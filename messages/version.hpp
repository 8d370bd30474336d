// The version of Troupe, as it names itself to servers and people.
#pragma once

#include <string_view>

namespace troupe {

inline constexpr std::string_view version = "0.2.0";

} // namespace troupe
