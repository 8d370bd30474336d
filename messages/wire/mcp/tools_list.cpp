#include "messages/wire/mcp/tools_list.hpp"

#include <fmt/format.h>

#include "messages/wire/json/tool_schema.hpp"
#include "messages/wire/mcp/payload.hpp"

namespace troupe::mcp {

namespace {

/// The schema of a tool whose server gives none: any object.
constexpr std::string_view any_object = R"({"type":"object"})";

constexpr std::string_view tools_list_method = "tools/list";

/// The members of one tool, as they stand in its text.
struct tool_members {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view input;
  std::string_view output;
  std::string_view annotations;
  std::string_view icons;
  std::string_view meta;
  std::string_view execution;
};

tool_members members_of(std::string_view text) {
  tool_members in;
  read_members(text, {{"name", &in.name},
                      {"title", &in.title},
                      {"description", &in.description},
                      {"inputSchema", &in.input},
                      {"outputSchema", &in.output},
                      {"annotations", &in.annotations},
                      {"icons", &in.icons},
                      {"_meta", &in.meta},
                      {"execution", &in.execution}});
  return in;
}

/// Returns the value if it is of the kind, else nothing: a bad optional member is no reason to drop
/// the tool.
raw_json if_kind(json_kind kind, std::string_view value) {
  return {kind_of(value) == kind ? std::string{value} : std::string{}};
}

void read_annotations(std::string_view annotations, tool& out) {
  std::string_view title, read_only, idempotent;
  read_members(annotations,
               {{"title", &title}, {"readOnlyHint", &read_only}, {"idempotentHint", &idempotent}});
  out.annotations = if_kind(json_kind::object, annotations);
  out.repeatable = read_only == "true" || idempotent == "true";
  if (out.title.empty())
    out.title = json_string(title);
}

task_support read_task_support(std::string_view execution) {
  std::string_view support;
  read_members(execution, {{"taskSupport", &support}});
  auto name = json_string(support);
  for (auto each : {task_support::optional, task_support::required})
    if (to_string(each) == name)
      return each;
  return task_support::forbidden;
}

failure read_tool(std::string_view text, size_t index, tool& out) {
  auto in = members_of(text);
  out.name = json_string(in.name);
  if (out.name.empty())
    return broken(tools_list_method, fmt::format("tool {} has no name", index));
  out.title = json_string(in.title);
  out.description = json_string(in.description);
  if (auto fault = repair_tool_schema(in.input).fault; !fault.empty())
    return broken(tools_list_method,
                  fmt::format("the inputSchema of tool \"{}\" {}", out.name, fault));
  out.input_schema.text = kind_of(in.input) == json_kind::object ? in.input : any_object;
  out.output_schema = if_kind(json_kind::object, in.output);
  out.icons = if_kind(json_kind::array, in.icons);
  out.meta = if_kind(json_kind::object, in.meta);
  out.as_task = read_task_support(in.execution);
  read_annotations(in.annotations, out);
  return {};
}

} // namespace

failure parse(std::string_view result, tools_page& out) {
  json_source source{result};
  if (auto bad = check_object(tools_list_method, source))
    return bad;
  std::string_view tools, cursor;
  read_members(source.root(), {{"tools", &tools}, {"nextCursor", &cursor}});
  out = {};
  out.next_cursor = json_string(cursor);
  return read_entries(tools_list_method, "tools", tools, read_tool, out.tools, out.left_out);
}

} // namespace troupe::mcp
