// Routes about the process: health, metrics, status.
#pragma once

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Returns the rows; docs/http.md documents each.
route_table status_routes();

} // namespace troupe
