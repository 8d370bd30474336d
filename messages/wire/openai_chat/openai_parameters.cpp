#include "messages/wire/openai_chat/openai_parameters.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_bound.hpp"
#include "messages/wire/provider/json_members.hpp"
#include "messages/wire/provider/request_parameters.hpp"

namespace troupe {

namespace {

constexpr std::string_view any_bound = "max_output_tokens"; ///< of clients of other protocols

/// Returns whether servers refuse the member without tools.
bool is_of_tools(std::string_view key) {
  return key == "tool_choice" || key == "parallel_tool_calls";
}

bool is_bound(const json_members::value_type& member) {
  return member.first == old_bound || member.first == new_bound;
}

bool sets_bound(const json_members::value_type& member) {
  return is_bound(member) && member.second != "null";
}

/// Adds the parameters of a request. A bound of null only removes the bound of the same name.
void overrule(json_members& into, const json_members& asked) {
  if (std::any_of(asked.begin(), asked.end(), sets_bound))
    std::erase_if(into, is_bound); // a bound has two names, and models refuse both at once
  for (const auto& each : asked)
    if (!is_bound(each) || sets_bound(each))
      put_member(into, each.first, each.second);
    else
      std::erase_if(into, [&](const auto& known) { return known.first == each.first; });
}

/// @param choice value of `tool_choice`: a mode, or the tool to call
bool demands_call(std::string_view choice) {
  if (choice == R"("required")")
    return true;
  std::string_view type;
  read_members(choice, {{"type", &type}});
  return type == R"("function")";
}

/// @param usual the model's name for the bound, which stands for the one of all protocols
void merge(json_members& into, std::string_view json, const model_request& request,
           std::string_view usual) {
  const bool has_tools = request.has_tools();
  if (json.empty())
    return;
  json_source source{json};
  for_each_member(source.root(), [&](std::string_view key, std::string_view value) {
    if (!is_decided_by_engine(key) && (has_tools || !is_of_tools(key)) &&
        !(request.has_results && key == "tool_choice" && demands_call(value)))
      put_member(into, key == any_bound ? usual : key, value);
    return true;
  });
}

/// Adds the options of the configuration that are not written in OpenAI's words.
/// @param bound the name of the bound
void add_options(json_members& into, const generation_options& options, bool has_tools,
                 std::string_view bound) {
  if (options.max_output_tokens > 0)
    put_member(into, bound, std::to_string(options.max_output_tokens));
  if (!options.reasoning_effort.empty())
    put_member(into, "reasoning_effort", to_json(options.reasoning_effort));
  if (has_tools && options.parallel_tool_calls >= 0)
    put_member(into, "parallel_tool_calls", options.parallel_tool_calls != 0 ? "true" : "false");
  if (!options.response_schema.empty())
    put_member(into, "response_format",
               R"({"type":"json_schema","json_schema":{"name":"answer","schema":)" +
                   options.response_schema + "}}");
}

/// Sets the bound under the one name that the parameters have for it, else under `usual`.
void set_bound(json_members& into, uint32_t max_tokens, std::string_view usual) {
  auto name = usual;
  for (const auto& each : into)
    if (is_bound(each))
      name = each.first == new_bound ? new_bound : old_bound;
  std::erase_if(into, [name](const auto& each) { return is_bound(each) && each.first != name; });
  put_member(into, name, std::to_string(max_tokens));
}

/// Gives the bound the one name that the server takes, whatever the parameters call it.
void rename_bound(json_members& into, std::string_view name) {
  std::string value;
  for (const auto& each : into)
    if (is_bound(each) && (value.empty() || each.first == name))
      value = each.second;
  std::erase_if(into, is_bound);
  if (!value.empty())
    put_member(into, name, value);
}

} // namespace

void append_openai_parameters(json_buffer& out, const model_request& request,
                              const openai_dialect& dialect) {
  json_members merged;
  json_members asked;
  const auto& options = request.model.generation;
  const auto bound = usual_bound(request.model, dialect);
  add_options(merged, options, request.has_tools(), bound);
  if (options.reasoning_budget > -2 && options.reasoning_effort.empty())
    request.model.lessons.leave_out("reasoning.budget");
  if (!options.tool_choice.empty())
    merge(merged, R"({"tool_choice":)" + options.tool_choice + "}", request, bound);
  json_members configured;
  merge(configured, request.model.parameters, request, bound);
  overrule(merged, configured);
  merge(asked, request.parameters, request, bound);
  overrule(merged, asked);
  if (request.max_tokens > 0)
    set_bound(merged, request.max_tokens, bound);
  if (request.model.lessons.bound() != bound_name::usual)
    rename_bound(merged, bound);
  if (dialect.says_any)
    for (auto& [key, value] : merged)
      if (key == "tool_choice" && value == R"("required")")
        value = R"("any")";
  for (const auto& [key, value] : merged)
    append_member(out, key, value);
}

} // namespace troupe
