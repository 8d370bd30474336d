// GET /v1/mcp/events: what changes among MCP servers, as server-sent events.
#pragma once

#include "apps/engine/http/http_route.hpp"

namespace troupe {

/// Sends every mcp_event until the client leaves or the engine shuts down. For a client that does
/// not keep up at most 1000 events are held; after these it is told how many were dropped.
/// @param answers the client answers what servers ask (clientRequest)
void spawn_mcp_event_stream(http_call& in, bool answers);

} // namespace troupe
