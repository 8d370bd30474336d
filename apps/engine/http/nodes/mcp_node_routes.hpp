// Calls of other nodes to MCP servers of which there is one in the cluster.
#pragma once

#include <span>

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Returns the rows of the cluster port alone. Each server to which this node has the connection is
/// a server of MCP over HTTP there, whose session lasts as long as that connection: an answer of
/// 404 says that the server is not here (any more), and has not begun the request.
std::span<const http_route> mcp_node_routes();

} // namespace troupe
