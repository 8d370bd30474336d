#include "messages/wire/clients/responses/response_tools.hpp"

#include "messages/json.hpp"
#include "messages/wire/clients/client_tools.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// Returns a custom tool as the function that a model sees. A grammar is told in words: it binds
/// the model as much as a description does.
std::string as_function(std::string_view tool) {
  std::string_view name, description, format, definition;
  read_members(tool, {{"name", &name}, {"description", &description}, {"format", &format}});
  read_members(format, {{"definition", &definition}});
  auto text = json_string(description);
  if (!is_nothing(definition))
    text += "\nThe input must follow this grammar:\n" + json_string(definition);
  return R"({"name":)" + to_json(json_string(name)) + R"(,"description":)" + to_json(text) +
         R"(,"parameters":{"type":"object","properties":{"input":{"type":"string"}},)"
         R"("required":["input"],"additionalProperties":false}})";
}

} // namespace

failure read_response_tools(std::string_view tools, std::vector<tool_definition>& out,
                            std::vector<std::string>& custom) {
  if (is_nothing(tools))
    return {};
  if (kind_of(tools) != json_kind::array)
    return invalid_request("tools must be an array");
  failure bad;
  for_each_element(tools, [&](std::string_view tool) {
    std::string_view type;
    read_members(tool, {{"type", &type}});
    const auto kind = json_string(type);
    if (kind == "custom") {
      const json_source function{as_function(tool)};
      bad = read_client_tool(function.root(), out);
      if (!bad)
        custom.push_back(out.back().name);
    } else if (kind == "function" || kind.empty()) {
      bad = read_client_tool(tool, out);
    }
    return !bad;
  });
  return bad;
}

} // namespace troupe
