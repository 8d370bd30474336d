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

/// Returns a server as an entry, without what is as it is by default; secrets stand in it as they
/// are. Of headers with the same name the last one counts.
std::string print_server_entry(const mcp_server_config& server);

/// Reads what print_server_entry() made. Unlike in what people write, `${NAME}` is no variable.
failure parse_server_entry(std::string_view name, std::string_view entry, mcp_server_config& out);

} // namespace troupe
