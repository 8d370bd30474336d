// The events of the MCP host that a client may see.
#pragma once

#include <optional>

#include "apps/engine/http/requests/http_route.hpp"
#include "messages/mcp/mcp_messages.hpp"

namespace troupe {

/// Returns the event as it is shown to `who`, with the client's own ids of chats; nothing if the
/// client must not see it. Events of servers are for all clients, but without the servers' logs and
/// without inner texts where the client sees none.
/// Events of a chat are for its owner. An admin sees all events; an `owner` is added for chats of
/// others. Any thread.
std::optional<mcp_event> visible_event(const mcp_event& told, const principal& who);

} // namespace troupe
