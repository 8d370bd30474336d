// MCP tools/list (specification 2025-11-25, server/tools).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "messages/mcp/mcp_tool.hpp"

namespace troupe::mcp {

/// One page of the list.
struct tools_page {
  std::vector<tool> tools;
  std::string next_cursor;                ///< "" on the last page
  std::vector<std::string> left_out = {}; ///< the faults of entries that cannot be read
};

/// Parses one page. A tool without name, or with an inputSchema that no object fits (see
/// repair_tool_schema), is left out.
failure parse(std::string_view result, tools_page& out);

} // namespace troupe::mcp
