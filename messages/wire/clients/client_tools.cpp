#include "messages/wire/clients/client_tools.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "messages/utf8.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/json/tool_schema.hpp"

namespace troupe {

namespace {

constexpr size_t max_name_bytes = 64;
constexpr std::string_view no_arguments = R"({"type":"object","properties":{}})";

failure invalid(std::string what) {
  return {errc::request_invalid, std::move(what)};
}

bool fits_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

bool is_tool_name(const std::string& name) {
  return !name.empty() && name.size() <= max_name_bytes &&
         std::all_of(name.begin(), name.end(), fits_name);
}

/// The members of one tool.
struct tool_members {
  std::string_view name;
  std::string_view description;
  std::string_view schema;
  std::string_view parameters;
  std::string_view strict;

  void read(std::string_view tool) {
    read_members(tool, {{"name", &name},
                        {"description", &description},
                        {"inputSchema", &schema},
                        {"input_schema", &schema},
                        {"parameters", &parameters},
                        {"strict", &strict}});
  }
};

/// Returns the schema; the AI SDK's own schema objects, written as JSON, have it in `jsonSchema`.
std::string_view schema_of(const tool_members& tool) {
  auto schema = is_nothing(tool.schema) ? tool.parameters : tool.schema;
  std::string_view inner;
  if (kind_of(schema) == json_kind::object)
    read_members(schema, {{"jsonSchema", &inner}});
  return kind_of(inner) == json_kind::object ? inner : schema;
}

/// Returns what is wrong with the schema, or "". What can be repaired is, once for all turns.
std::string schema_fault(std::string_view schema) {
  std::string_view type;
  if (is_nothing(schema))
    return {};
  if (kind_of(schema) != json_kind::object)
    return "must be an object";
  read_members(schema, {{"type", &type}});
  auto fault = type == R"("object")" ? std::string{} : repair_tool_schema(schema).fault;
  return fault.empty() ? fault : "must be the schema of an object, but " + fault;
}

failure add_tool(std::string name, const tool_members& tool, const std::string& place,
                 std::vector<tool_definition>& out) {
  if (!is_tool_name(name))
    return invalid(place + " must have a name of 1 to 64 of [A-Za-z0-9_-]");
  if (std::any_of(out.begin(), out.end(), [&](const auto& known) { return known.name == name; }))
    return invalid(place + " has the name of another one: " + name);
  if (!is_nothing(tool.description) && kind_of(tool.description) != json_kind::string)
    return invalid(place + ".description must be a string");
  auto schema = schema_of(tool);
  if (auto fault = schema_fault(schema); !fault.empty())
    return invalid(place + ".inputSchema " + fault);
  if (!is_nothing(tool.strict) && kind_of(tool.strict) != json_kind::boolean)
    return invalid(place + ".strict must be true or false");
  out.push_back({std::move(name), json_string(tool.description),
                 std::string{is_nothing(schema) ? no_arguments : schema}, "", "",
                 tool.strict == "true"});
  return {};
}

failure room_for_one_more(json_kind kind, const std::string& place, size_t count) {
  if (count == max_client_tools)
    return invalid("tools must not be more than 128");
  return kind == json_kind::object ? failure{} : invalid(place + " must be an object");
}

} // namespace

failure read_client_tool(std::string_view text, const std::string& place,
                         std::vector<tool_definition>& out) {
  if (auto bad = room_for_one_more(kind_of(text), place, out.size()))
    return bad;
  tool_members tool;
  std::string_view function, type;
  tool.read(text);
  read_members(text, {{"function", &function}, {"type", &type}});
  if (kind_of(function) == json_kind::object)
    tool.read(function);
  if (const auto kind = json_string(type); // "custom", "web_search" and others
      is_nothing(tool.name) && !kind.empty() && kind != "function")
    return invalid(fmt::format("{} is of the type '{}'; only functions can be called", place,
                               utf8_prefix(kind, max_name_bytes)));
  return add_tool(json_string(tool.name), tool, place, out);
}

failure read_tool_array(std::string_view tools, const std::string& place,
                        const tool_reader& read_one) {
  if (is_nothing(tools))
    return {};
  if (kind_of(tools) != json_kind::array)
    return invalid(place + " must be an array");
  failure bad;
  size_t index = 0;
  for_each_element(tools, [&](std::string_view tool) {
    bad = read_one(tool, fmt::format("{}[{}]", place, index++));
    return !bad;
  });
  return bad;
}

failure read_client_tools(std::string_view tools, std::vector<tool_definition>& out) {
  const auto kind = kind_of(tools);
  if (kind == json_kind::array)
    return read_tool_array(tools, "tools", [&out](std::string_view tool, const std::string& place) {
      return read_client_tool(tool, place, out);
    });
  if (kind != json_kind::object)
    return is_nothing(tools) ? failure{} : invalid("tools must be an object or an array");
  failure bad;
  for_each_member(tools, [&](std::string_view name, std::string_view text) {
    const auto place = fmt::format("tools[{}]", out.size());
    bad = room_for_one_more(kind_of(text), place, out.size());
    tool_members tool;
    if (!bad) {
      tool.read(text);
      bad = add_tool(std::string{name}, tool, place, out);
    }
    return !bad;
  });
  return bad;
}

} // namespace troupe
