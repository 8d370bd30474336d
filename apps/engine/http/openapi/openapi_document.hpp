// The description of the HTTP interface.
#pragma once

#include <string>

namespace troupe {

/// Returns the description as JSON: OpenAPI 3.1. The same for each server of this version.
const std::string& openapi_document();

} // namespace troupe
