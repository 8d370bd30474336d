// The tools of a request, as any provider takes them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/tool_definition.hpp"

namespace troupe {

/// One tool for a request; valid while it is shown.
struct usable_tool {
  const tool_definition& tool;
  std::string description; ///< description_of the tool; may be empty
  std::string_view
      schema; ///< JSON text: the tool's own, byte for byte, unless it had to be repaired
};

/// Shows the tools in their order, without those that would have every request refused: of a name
/// that was shown before, and with a schema that repair_tool_schema() cannot repair. Lists of MCP
/// servers are read without the latter (tools_list.hpp). Done once for a tool_set, not per turn.
void for_each_usable_tool(const std::vector<tool_definition>& tools,
                          const std::function<void(const usable_tool&)>& show);

} // namespace troupe
