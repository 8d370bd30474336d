// GET /metrics.
#pragma once

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Answers with everything there is to measure as Prometheus text: turns, models, tools, chats, MCP
/// servers, connections, the process.
void spawn_metrics_reply(http_call& in);

} // namespace troupe
