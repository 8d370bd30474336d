// GET /v1/ws: many sessions on one WebSocket (docs/websocket.md).
#pragma once

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Returns its row. It answers the handshake, and serves the connection until it closes.
route_table websocket_routes();

} // namespace troupe
