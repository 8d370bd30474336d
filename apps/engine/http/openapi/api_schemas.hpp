// The shapes of bodies, for the description of the HTTP interface.
#pragma once

#include <string_view>

namespace troupe {

/// Returns `components.schemas` of the description: a JSON object with a schema for each name that
/// api_operation has, and `Error`.
std::string_view api_schemas();

} // namespace troupe
