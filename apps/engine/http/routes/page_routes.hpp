// The web page: "/" for browsers, and its files.
#pragma once

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Returns the rows; docs/page.md documents them.
route_table page_routes();

} // namespace troupe
