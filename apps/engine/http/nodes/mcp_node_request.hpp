// POST /v1/mcp/node/{}: one message of another node to a server that this one is connected to.
#pragma once

#include <string>

#include "apps/engine/http/requests/http_route.hpp"
#include "messages/mcp/server_status.hpp"

namespace troupe {

/// Answers with JSON; to a tools/call that reports progress with an event stream. A node that
/// leaves takes the call back. `initialize` gets 503 while the server is not connected here,
/// everything else 404.
void spawn_mcp_node_request(http_call& in);

/// Returns the session of a server at this node, "" if it is not connected here.
/// @param start which start of this node
std::string mcp_node_session(const server_list& servers, const std::string& name, uint64_t start);

/// Returns whether the request means this start of this node.
bool means_this_node(const http_call& in);

} // namespace troupe
