// The description of the HTTP interface.
#pragma once

#include <string>

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Returns the description as JSON: OpenAPI 3.1. The same for each server of this version.
const std::string& openapi_document();

/// GET /openapi.json, for everybody: it says nothing of this server.
route_table openapi_routes();

} // namespace troupe
