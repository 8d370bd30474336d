#include "messages/mcp/tool_messages.hpp"

#include <algorithm>

namespace troupe {

const tool_definition* tool_set::find(std::string_view name) const {
  auto i = std::lower_bound(tools.begin(), tools.end(), name,
                            [](const auto& tool, std::string_view key) { return tool.name < key; });
  return i != tools.end() && i->name == name ? &*i : nullptr;
}

} // namespace troupe
