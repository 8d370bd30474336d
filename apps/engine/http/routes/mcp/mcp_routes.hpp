// The HTTP interface of the MCP host: everything below /v1/mcp, and the attachments of chats.
#pragma once

#include <span>

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Returns the rows; docs/http.md documents each.
std::span<const http_route> mcp_routes();

} // namespace troupe
