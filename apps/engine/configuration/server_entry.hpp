// One entry of `mcpServers`, as configuration files and PUT /v1/mcp/servers/{name} have it.
#pragma once

#include <string>
#include <string_view>

#include "apps/engine/configuration/object_reader.hpp"
#include "messages/mcp/mcp_config.hpp"

namespace troupe {

/// Reads an entry. The transport is guessed where `type` does not say it: a command is stdio, a
/// ws:// or wss:// URL is websocket, one that ends in /sse is the old HTTP+SSE, any other is
/// Streamable HTTP.
void read_server_entry(std::string_view name, object_reader& in, mcp_server_config& out);

/// Returns a server as an entry without members that have their defaults. Secrets are in clear
/// text. Of header fields with the same name the last one counts.
std::string print_server_entry(const mcp_server_config& server);

/// Reads the text of print_server_entry(). `${NAME}` in it is no variable.
failure parse_server_entry(std::string_view name, std::string_view entry, mcp_server_config& out);

} // namespace troupe
