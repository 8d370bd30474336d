// GET /v1/mcp/node/{}: what a server tells, for another node.
#pragma once

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Sends notifications of a server to which this node is connected, changes of its lists above all,
/// until the node leaves or that connection is lost. Log messages are left out for a slow node.
void spawn_mcp_node_events(http_call& in);

} // namespace troupe
