// GET /v1/ws: many sessions on one WebSocket (docs/websocket.md).
#pragma once

#include "apps/engine/http/http_route.hpp"

namespace troupe {

/// Answers the handshake, and serves the connection until it closes.
void get_websocket(http_call& in);

} // namespace troupe
