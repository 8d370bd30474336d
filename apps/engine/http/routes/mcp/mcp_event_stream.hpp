// GET /v1/mcp/events: what changes among MCP servers, as server-sent events.
#pragma once

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Sends every mcp_event that the client may see, until it leaves or the engine shuts down. For a
/// slow client at most 1000 events are held; after them it is told how many were dropped.
/// @param answers the client answers the servers' questions (clientRequest)
void spawn_mcp_event_stream(http_call& in, bool answers);

} // namespace troupe
