// THE list of routes: one table for each group of paths. Each is defined in the source of its name.
#pragma once

#include <span>

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Returns all tables below, for http_api: the first row that fits answers.
std::span<const route_table> route_tables();

/// The routes of turns; docs/http.md documents each.
route_table turn_routes();

/// POST /v1/chat/completions, POST /v1/completions and GET /v1/models, all or one: any OpenAI
/// client can use the engine, and the MCP tools are run on the way.
route_table completions_routes();

/// GET /v1/ws: many sessions on one WebSocket (docs/websocket.md). It answers the handshake, and
/// serves the connection until it closes.
route_table websocket_routes();

/// /healthz, /readyz, /metrics and /v1/status; docs/http.md documents each.
route_table status_routes();

/// The rows below /v1/conversations and /v1/usage. More special ones come first.
route_table conversation_routes();

/// The rows below /v1/mcp, and attachments of sessions; docs/http.md documents each.
route_table mcp_routes();

/// The page and its files; docs/page.md documents them.
route_table page_routes();

/// POST /v1/messages and /v1/messages/count_tokens: any client of Anthropic's messages can use the
/// engine, and the MCP tools are run on the way.
route_table claude_routes();

/// POST /v1/responses and GET /v1/responses/{id}: what newer programs for OpenAI speak. A response
/// that is stored is a turn of a conversation, and the next one goes on behind it.
route_table response_routes();

/// POST /v1/embeddings: the client's body goes to the provider of its model, with the provider's
/// own key, and the provider's answer comes back as it is.
route_table embedding_routes();

/// GET /openapi.json, for everybody: it says nothing of this server.
route_table openapi_routes();

/// The rows below /v1/files; docs/files.md documents them.
route_table file_routes();

/// POST /api/generate, POST /api/show, GET /api/tags and GET /api/version: programs that speak
/// Ollama's API only can use the engine, and the MCP tools are run on the way.
route_table ollama_routes();

/// The rows of the cluster port alone: calls of other nodes to MCP servers of which there is one.
/// Each server to which this node has the connection is a server of MCP over HTTP there, whose
/// session lasts as long as that connection: an answer of 404 says that the server is not here
/// (any more), and has not begun the request.
route_table mcp_node_routes();

} // namespace troupe
