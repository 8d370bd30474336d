#include "messages/wire/mcp/tools_list.hpp"

#include "messages/json.hpp"
#include "messages/wire/json_source.hpp"

namespace troupe::mcp {

namespace {

/// Any object will do where a server leaves the schema out.
constexpr std::string_view any_object = R"({"type":"object"})";

failure broken(const std::string& what) {
  return {errc::server_protocol, "tools/list: " + what};
}

failure read_tool(std::string_view text, size_t index, tool& out) {
  std::string_view name, title, description, input, output, annotations;
  read_members(text, {{"name", &name},
                      {"title", &title},
                      {"description", &description},
                      {"inputSchema", &input},
                      {"outputSchema", &output},
                      {"annotations", &annotations}});
  out.name = json_string(name);
  if (out.name.empty())
    return broken("tool " + std::to_string(index) + " has no name");
  if (is_nothing(title))
    read_members(annotations, {{"title", &title}});
  out.title = json_string(title);
  out.description = json_string(description);
  out.input_schema = is_nothing(input) ? any_object : input;
  if (kind_of(out.input_schema) != json_kind::object)
    return broken("the inputSchema of tool \"" + out.name + "\" is no object");
  if (is_nothing(output))
    return {};
  out.output_schema = output;
  if (kind_of(output) != json_kind::object)
    return broken("the outputSchema of tool \"" + out.name + "\" is no object");
  return {};
}

} // namespace

std::string tools_list_params(std::string_view cursor) {
  if (cursor.empty())
    return "{}";
  json_buffer out;
  append_raw(out, R"({"cursor":)");
  append_json(out, cursor);
  out.push_back('}');
  return std::string{view(out)};
}

failure parse(std::string_view result, tools_page& out) {
  json_source source{result};
  if (!source.fault().empty())
    return broken("the answer is not JSON: " + source.fault());
  std::string_view tools, cursor;
  read_members(source.root(), {{"tools", &tools}, {"nextCursor", &cursor}});
  if (kind_of(tools) != json_kind::array)
    return broken("the answer has no array \"tools\"");
  out = {};
  out.next_cursor = json_string(cursor);
  failure bad;
  for_each_element(tools, [&](std::string_view text) {
    tool next;
    bad = read_tool(text, out.tools.size(), next);
    if (!bad)
      out.tools.push_back(std::move(next));
    return !bad;
  });
  return bad;
}

} // namespace troupe::mcp
