// The routes of uploaded files: /v1/files.
#pragma once

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Returns the routes, for http_api.
route_table file_routes();

} // namespace troupe
