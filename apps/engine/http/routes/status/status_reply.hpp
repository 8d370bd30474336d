// Answers that need to ask the hubs and the store first.
#pragma once

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// GET /readyz: 200 when turns are accepted, chats can be kept, and every MCP server is connected
/// or has failed once; else 503 with the reason as text.
void spawn_ready_reply(http_call& in);

/// GET /v1/status: sessions, turns, the store, MCP servers with health, phase and last error.
void spawn_status_reply(http_call& in);

} // namespace troupe
