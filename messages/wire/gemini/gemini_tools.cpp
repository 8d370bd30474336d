#include "messages/wire/gemini/gemini_tools.hpp"

#include "messages/json.hpp"
#include "messages/wire/gemini/gemini_names.hpp"
#include "messages/wire/gemini/gemini_schema.hpp"
#include "messages/wire/history/usable_tools.hpp"

namespace troupe {

namespace {

using append_schema = void (*)(json_buffer& out, std::string_view schema);

void append_whole(json_buffer& out, std::string_view schema) {
  append_raw(out, R"(,"parametersJsonSchema":)");
  append_raw(out, schema);
}

void append_reduced(json_buffer& out, std::string_view schema) {
  const auto reduced = reduced_gemini_schema(schema);
  if (reduced.empty())
    return;
  append_raw(out, R"(,"parameters":)");
  append_raw(out, reduced);
}

std::string declarations(const std::vector<tool_definition>& tools, append_schema schema) {
  json_buffer out;
  for_each_usable_tool(tools, [&](const usable_tool& each) {
    append_raw(out, out.size() == 0 ? R"([{"functionDeclarations":[{"name":)" : R"(,{"name":)");
    append_json(out, gemini_tool_name(each.tool.name));
    append_raw(out, R"(,"description":)"); // demanded, unlike by other providers
    append_json(out, each.description.empty() ? each.tool.name : each.description);
    schema(out, each.schema);
    out.push_back('}');
  });
  if (out.size() > 0)
    append_raw(out, "]}]");
  return std::string{view(out)};
}

} // namespace

std::string gemini_tools(const std::vector<tool_definition>& tools) {
  return declarations(tools, append_whole);
}

std::string gemini_reduced_tools(const std::vector<tool_definition>& tools) {
  return declarations(tools, append_reduced);
}

} // namespace troupe
