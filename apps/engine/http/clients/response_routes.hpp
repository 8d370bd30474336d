// OpenAI's Responses API.
#pragma once

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// POST /v1/responses and GET /v1/responses/{id}: what newer programs for OpenAI speak. A response
/// that is stored is a turn of a conversation, and the next one goes on behind it.
route_table response_routes();

} // namespace troupe
