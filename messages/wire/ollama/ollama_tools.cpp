#include "messages/wire/ollama/ollama_tools.hpp"

#include "messages/json.hpp"
#include "messages/wire/history/usable_tools.hpp"
#include "messages/wire/ollama/ollama_schema.hpp"

namespace troupe {

std::string ollama_tools(const std::vector<tool_definition>& tools) {
  json_buffer out;
  out.push_back('[');
  for_each_usable_tool(tools, [&out](const usable_tool& each) {
    append_raw(out, out.size() == 1 ? R"({"type":"function","function":{"name":)"
                                    : R"(,{"type":"function","function":{"name":)");
    append_json(out, each.tool.name);
    append_raw(out, R"(,"description":)");
    append_json(out, each.description);
    append_raw(out, R"(,"parameters":)");
    append_ollama_schema(out, each.schema);
    append_raw(out, "}}");
  });
  out.push_back(']');
  return std::string{view(out)};
}

} // namespace troupe
