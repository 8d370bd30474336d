// The servers of another program's file that this program does not start.
#pragma once

#include <string>
#include <string_view>

#include "messages/wire/json/json_tree.hpp"

namespace troupe {

/// Looks in the lists by which programs shut out servers, beside what an entry says itself:
/// Gemini's `mcp.excluded` and `mcp.allowed` (formerly `excludeMCPServers`, `allowMCPServers`),
/// Claude Code's `disabledMcpServers`, `disabledMcpjsonServers`, `deniedMcpServers` and
/// `allowedMcpServers`, OpenCode's `tools` and `permission`. A list of allowed ones shuts out all
/// others, also an empty list.
/// @param root the file, or one of Claude Code's folders in it
/// @return the list that shuts the server out: "mcp.excluded"; "" if none does
std::string_view shut_out_by(const json_node& root, std::string_view server);

} // namespace troupe
