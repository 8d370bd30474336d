// One entry of `mcpServers`, as configuration files and PUT /v1/mcp/servers/{name} have it.
#pragma once

#include <string_view>

#include "apps/engine/object_reader.hpp"
#include "messages/mcp_config.hpp"

namespace troupe {

/// Reads an entry. The transport is guessed where `type` does not say it: a command is stdio, a
/// ws:// or wss:// URL is websocket, one that ends in /sse is the old HTTP+SSE, any other is
/// Streamable HTTP.
void read_server_entry(std::string_view name, object_reader& in, mcp_server_config& out);

} // namespace troupe
