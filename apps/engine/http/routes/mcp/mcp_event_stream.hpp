// GET /v1/mcp/events: what changes among MCP servers, as server-sent events.
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

/// Sends every mcp_event that the client may see, until it leaves or the engine shuts down. For a
/// slow client at most 1000 events are held; after them it is told how many were dropped.
/// @param answers the client answers the servers' questions (clientRequest)
void spawn_mcp_event_stream(http_call& in, bool answers);

} // namespace troupe
