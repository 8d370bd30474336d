// The side of the HTTP interface that Anthropic's clients use.
#pragma once

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// POST /v1/messages and /v1/messages/count_tokens: any client of Anthropic's messages can use the
/// engine, and the MCP tools are run on the way.
route_table claude_routes();

} // namespace troupe
