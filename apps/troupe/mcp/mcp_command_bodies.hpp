// Bodies of requests to /v1/mcp, made of command-line options.
#pragma once

#include <string>
#include <vector>

#include "apps/troupe/mcp/mcp_options.hpp"

namespace troupe {

/// Returns what is wrong with the arguments of a tool or a prompt, which are one JSON object or
/// NAME=VALUE each; "" = nothing.
std::string arguments_fault(const std::vector<std::string>& given);

/// @param answers a person answers the questions that the server sends with the answer
std::string call_body(const mcp_options& options, bool answers);
std::string resource_body(const mcp_options& options);
std::string prompt_body(const mcp_options& options);
std::string completion_body(const mcp_options& options);
std::string level_body(const mcp_options& options);
std::string request_body(const mcp_options& options);

/// Returns an entry of `mcpServers`.
std::string server_entry(const mcp_options& options);

} // namespace troupe
