#include "messages/wire/anthropic/anthropic_tools.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "messages/json.hpp"
#include "messages/wire/anthropic/anthropic_schema.hpp"
#include "messages/wire/history/usable_tools.hpp"
#include "messages/wire/json/json_tree.hpp"

namespace troupe {

namespace {

constexpr size_t max_tool_nodes = 100'000;
constexpr size_t max_property_bytes = 64;
constexpr size_t max_strict_tools = 20; ///< with more, every request is refused

/// Returns whether the API takes it as the name of a parameter: ^[a-zA-Z0-9_.-]{1,64}$.
bool is_property_name(std::string_view name) {
  return !name.empty() && name.size() <= max_property_bytes &&
         std::ranges::all_of(name, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                  c == '_' || c == '.' || c == '-';
         });
}

/// A schema and what it cannot hold.
struct tool_parameters {
  std::string schema;
  std::string told; ///< properties that the schema cannot hold, as JSON members
};

void drop_required(json_node& schema) {
  auto* required = member_of(schema, "required");
  if (required == nullptr)
    return;
  std::erase_if(required->children,
                [](const json_node& each) { return !is_property_name(each.text); });
  if (required->children.empty())
    remove_member(schema, "required");
}

/// Takes the properties with other names out of the schema, and lets the object have more members.
tool_parameters usable_parameters(std::string_view schema) {
  tool_parameters made{std::string{schema}, {}};
  auto tree = read_json_tree(schema, max_tool_nodes);
  auto* properties = tree ? member_of(*tree, "properties") : nullptr;
  if (properties == nullptr ||
      std::ranges::all_of(properties->children, is_property_name,
                          [](const json_node& each) { return std::string_view{each.key}; }))
    return made;
  std::vector<json_node> kept;
  for (auto& each : properties->children) {
    if (is_property_name(each.key)) {
      kept.push_back(std::move(each));
      continue;
    }
    json_buffer value;
    append_json(value, each);
    made.told.append(made.told.empty() ? "" : ",");
    made.told.append(to_json(each.key)).append(":").append(view(value));
  }
  properties->children = std::move(kept);
  drop_required(*tree);
  remove_member(*tree, "additionalProperties");
  json_buffer out;
  append_json(out, *tree);
  made.schema = std::string{view(out)};
  return made;
}

void append_tool(json_buffer& out, const usable_tool& each, bool strict) {
  auto [schema, told] = usable_parameters(each.schema);
  auto description = each.description;
  if (!told.empty())
    description.append(description.empty() ? "" : "\n\n")
        .append("It also takes these parameters, whose names its schema cannot hold: {")
        .append(told)
        .append("}");
  append_raw(out, out.size() == 1 ? R"({"name":)" : R"(,{"name":)");
  append_json(out, each.tool.name);
  if (!description.empty()) {
    append_raw(out, R"(,"description":)");
    append_json(out, description);
  }
  strict = strict && each.tool.strict && told.empty();
  append_raw(out, R"(,"input_schema":)");
  append_raw(out, strict ? anthropic_schema(schema) : schema);
  append_raw(out, strict ? R"(,"strict":true})" : "}");
}

std::string write_tools(const std::vector<tool_definition>& tools, bool strict) {
  json_buffer out;
  out.push_back('[');
  for_each_usable_tool(tools, [&](const usable_tool& each) { append_tool(out, each, strict); });
  out.push_back(']');
  return std::string{view(out)};
}

} // namespace

std::string anthropic_tools(const std::vector<tool_definition>& tools) {
  return write_tools(tools, false);
}

std::string anthropic_strict_tools(const std::vector<tool_definition>& tools) {
  const auto strict = std::ranges::count_if(tools, &tool_definition::strict);
  return write_tools(tools, static_cast<size_t>(strict) <= max_strict_tools);
}

} // namespace troupe
