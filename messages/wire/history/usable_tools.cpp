#include "messages/wire/history/usable_tools.hpp"

#include <unordered_set>

#include "messages/chat/tool_label.hpp"
#include "messages/wire/json/tool_schema.hpp"

namespace troupe {

void for_each_usable_tool(const std::vector<tool_definition>& tools,
                          const std::function<void(const usable_tool&)>& show) {
  std::unordered_set<std::string_view> names;
  for (const auto& each : tools) {
    auto [repaired, fault] = repair_tool_schema(each.input_schema);
    if (fault.empty() && names.insert(each.name).second)
      show({each, description_of(each), repaired.empty() ? each.input_schema : repaired});
  }
}

} // namespace troupe
