// The description of the HTTP interface.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns `components.schemas` of the description: a JSON object with a schema for each name that
/// api_operation has, and `Error`.
std::string_view api_schemas();

/// Returns the description as JSON: OpenAPI 3.1. The same for each server of this version.
const std::string& openapi_document();

} // namespace troupe
