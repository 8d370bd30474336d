// Pages of MCP lists (specification 2025-11-25, server/utilities/pagination).
#pragma once

#include <string>
#include <string_view>

namespace troupe::mcp {

/// Returns the params of a list request. @param cursor "" for the first page
std::string page_params(std::string_view cursor);

} // namespace troupe::mcp
