#include "messages/wire/clients/responses/response_tools.hpp"

#include <algorithm>
#include <utility>

#include "messages/chat/tool_name.hpp"
#include "messages/json.hpp"
#include "messages/wire/clients/client_tools.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// The members of a tool of any kind.
struct tool_parts {
  std::string type, name;
  std::string_view description, parameters, strict, format, tools;

  explicit tool_parts(std::string_view tool) {
    std::string_view kind, called;
    read_members(tool, {{"type", &kind},
                        {"name", &called},
                        {"description", &description},
                        {"parameters", &parameters},
                        {"strict", &strict},
                        {"format", &format},
                        {"tools", &tools}});
    type = json_string(kind);
    name = json_string(called);
  }
};

/// Returns a custom tool as the function that a model sees. A grammar is told in words: it binds
/// the model as much as a description does.
std::string custom_as_function(const tool_parts& tool, std::string_view shown) {
  std::string_view definition;
  read_members(tool.format, {{"definition", &definition}});
  auto text = json_string(tool.description);
  if (!is_nothing(definition))
    text += "\nThe input must follow this grammar:\n" + json_string(definition);
  return R"({"name":)" + to_json(shown) + R"(,"description":)" + to_json(text) +
         R"(,"parameters":{"type":"object","properties":{"input":{"type":"string"}},)"
         R"("required":["input"],"additionalProperties":false}})";
}

std::string under_name(const tool_parts& tool, std::string_view shown) {
  auto function = R"({"name":)" + to_json(shown);
  for (const auto& [key, value] : {std::pair{"description", tool.description},
                                   {"parameters", tool.parameters},
                                   {"strict", tool.strict}})
    if (!is_nothing(value))
      function.append(",\"").append(key).append("\":").append(value);
  return function + '}';
}

class tools_reader {
public:
  /// @param repeats whether tools that are known may come again
  tools_reader(response_tools& out, bool repeats) : out_{out}, repeats_{repeats} {}

  failure read_array(std::string_view tools, const std::string& place,
                     const std::string& name_space = {}) {
    return read_tool_array(tools, place, [&](std::string_view tool, const std::string& at) {
      return read(tool, at, name_space);
    });
  }

private:
  failure read(std::string_view slice, const std::string& place, const std::string& name_space) {
    const tool_parts tool{slice};
    if (tool.type == "namespace" && name_space.empty())
      return read_namespace(tool, place);
    const auto custom = tool.type == "custom";
    if (!custom && tool.type != "function" && !tool.type.empty())
      return {};
    const auto shown = name_space.empty() ? tool.name : namespaced_tool_name(name_space, tool.name);
    if (repeats_ &&
        std::ranges::find(out_.tools, shown, &tool_definition::name) != out_.tools.end())
      return {};
    if (!custom && name_space.empty())
      return read_client_tool(slice, place, out_.tools);
    if (tool.name.empty())
      return invalid_request(place + " must have a name");
    const json_source function{custom ? custom_as_function(tool, shown) : under_name(tool, shown)};
    auto bad = read_client_tool(function.root(), place, out_.tools);
    if (!bad)
      out_.special.push_back({shown, tool.name, name_space, custom});
    return bad;
  }

  failure read_namespace(const tool_parts& group, const std::string& place) {
    if (group.name.empty())
      return invalid_request(place + " must have a name");
    return read_array(group.tools, place + ".tools", group.name);
  }

  response_tools& out_;
  bool repeats_;
};

} // namespace

std::string namespaced_tool_name(std::string_view name_space, std::string_view name) {
  const auto apart = name_space.ends_with("__") ? "" : "__";
  return model_tool_name(std::string{name_space}.append(apart).append(name));
}

failure read_response_tools(std::string_view tools, response_tools& out) {
  return tools_reader{out, false}.read_array(tools, "tools");
}

failure read_additional_tools(std::string_view tools, const std::string& place,
                              response_tools& out) {
  return tools_reader{out, true}.read_array(tools, place);
}

} // namespace troupe
