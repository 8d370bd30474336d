// THE list of routes: one table for each group of paths.
#pragma once

#include <span>

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Returns all routes, for http_api: the first row that fits answers.
std::span<const route_table> route_tables();

} // namespace troupe
