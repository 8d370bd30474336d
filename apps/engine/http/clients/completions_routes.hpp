// The OpenAI-compatible side of the HTTP interface.
#pragma once

#include <span>

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// POST /v1/chat/completions, POST /v1/completions and GET /v1/models, all or one: any OpenAI
/// client can use the engine, and the MCP tools are run on the way.
std::span<const http_route> completions_routes();

} // namespace troupe
