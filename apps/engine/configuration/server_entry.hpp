// One entry of `mcpServers`, as configuration files and PUT /v1/mcp/servers/{name} have it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "apps/engine/configuration/object_reader.hpp"
#include "messages/mcp/mcp_config.hpp"

namespace troupe {

/// Reads NAME=VALUE lines. Empty lines, lines that begin with '#' and the word `export` in front of
/// a name are passed over. A value in "double quotes" may hold \n, \r, \t, \\ and \"; one in
/// 'single quotes' is as it stands; any other ends at the line's end or at " #", without blanks
/// around it.
/// @return what is wrong, without a value ("has no NAME=VALUE in line 3"), or ""
std::string parse_env_file(std::string_view text, std::map<std::string, std::string>& out);

/// Reads a file of at most 1 MiB. @return what is wrong, without a value, or ""
std::string read_env_file(const std::string& path, std::map<std::string, std::string>& out);

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
