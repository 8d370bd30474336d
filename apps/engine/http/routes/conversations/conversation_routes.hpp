// The requests that ask about conversations and change them.
#pragma once

#include <span>

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Returns the rows below /v1/conversations and /v1/usage. More special ones come first.
std::span<const http_route> conversation_routes();

} // namespace troupe
