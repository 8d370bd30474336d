// The HTTP interface of turns: asking for one, answering its approvals, stopping it.
#pragma once

#include <span>

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Returns the rows; docs/http.md documents each.
std::span<const http_route> turn_routes();

} // namespace troupe
