#include "messages/wire/openai_responses/responses_tools.hpp"

#include "messages/json.hpp"
#include "messages/wire/history/usable_tools.hpp"

namespace troupe {

std::string responses_tools(const std::vector<tool_definition>& tools) {
  json_buffer out;
  out.push_back('[');
  for_each_usable_tool(tools, [&out](const usable_tool& each) {
    append_raw(out, out.size() == 1 ? R"({"type":"function","name":)"
                                    : R"(,{"type":"function","name":)");
    append_json(out, each.tool.name);
    if (!each.description.empty()) {
      append_raw(out, R"(,"description":)");
      append_json(out, each.description);
    }
    append_raw(out, R"(,"parameters":)");
    append_raw(out, each.schema);
    append_raw(out, each.tool.strict ? R"(,"strict":true})" : R"(,"strict":false})");
  });
  out.push_back(']');
  return std::string{view(out)};
}

} // namespace troupe
