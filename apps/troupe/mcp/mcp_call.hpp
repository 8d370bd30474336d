// `troupe mcp call`: a tool call whose server may ask the person at the terminal something.
#pragma once

#include "apps/troupe/mcp/mcp_client.hpp"

namespace troupe {

/// Calls a tool, shows its progress on stderr, and returns an exit code.
int call_tool_verb(const mcp_options& options, mcp_client& client);

} // namespace troupe
