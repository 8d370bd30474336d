#include "messages/wire/openai_chat/openai_tools.hpp"

#include "messages/json.hpp"

namespace troupe {

std::string openai_tools(const std::vector<tool_definition>& tools) {
  json_buffer out;
  out.push_back('[');
  for (const auto& each : tools) {
    append_raw(out, &each == &tools.front() ? R"({"type":"function","function":{"name":)"
                                            : R"(,{"type":"function","function":{"name":)");
    append_json(out, each.name);
    if (!each.description.empty()) {
      append_raw(out, R"(,"description":)");
      append_json(out, each.description);
    }
    append_raw(out, R"(,"parameters":)");
    append_raw(out, each.input_schema.empty() ? R"({"type":"object","properties":{}})"
                                              : std::string_view{each.input_schema});
    append_raw(out, each.strict ? R"(,"strict":true}})" : "}}");
  }
  out.push_back(']');
  return std::string{view(out)};
}

} // namespace troupe
