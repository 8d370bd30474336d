// What of the MCP host's events a client may see.
#pragma once

#include <optional>

#include "apps/engine/http/http_route.hpp"
#include "messages/mcp/mcp_messages.hpp"

namespace troupe {

/// Returns the event as it is shown to `who`, with the client's own ids of chats; nothing if it is
/// none of its business. Events of servers are for all, but without what the servers log; events of
/// a chat are for its owner. An admin sees all, those of other owners' chats with an `owner`. Any
/// thread.
std::optional<mcp_event> visible_event(const mcp_event& told, const principal& who);

} // namespace troupe
