#include "messages/wire/clients/claude/claude_parameters.hpp"

#include <algorithm>

#include "messages/json.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/json_members.hpp"

namespace troupe {

namespace {

/// Adds a member unless its value is null or was not given.
void pass_on(std::string& into, std::string_view key, std::string_view value) {
  if (!is_nothing(value))
    add_member(into, key, value);
}

failure add_max_tokens(std::string& into, std::string_view value) {
  if (is_nothing(value))
    return {};
  if (integer_of(value).value_or(0) < 1)
    return invalid_request("max_tokens must be a whole number from 1 on");
  add_member(into, "max_output_tokens", value);
  return {};
}

failure add_tool_choice(std::string& into, std::string_view choice,
                        const std::vector<std::string>& left_out) {
  std::string_view type, name, alone;
  if (is_nothing(choice))
    return {};
  read_members(choice, {{"type", &type}, {"name", &name}, {"disable_parallel_tool_use", &alone}});
  const auto mode = json_string(type);
  const auto tool = json_string(name);
  if (mode == "auto")
    add_member(into, "tool_choice", R"("auto")");
  else if (mode == "any")
    add_member(into, "tool_choice", R"("required")");
  else if (mode == "none")
    add_member(into, "tool_choice", R"("none")");
  else if (mode != "tool" || tool.empty())
    return invalid_request("tool_choice.type must be auto, any, none, or tool with a name");
  else if (std::ranges::find(left_out, tool) == left_out.end())
    add_member(into, "tool_choice",
               R"({"type":"function","function":{"name":)" + to_json(tool) + "}}");
  if (alone == "true")
    add_member(into, "parallel_tool_calls", "false");
  return {};
}

/// Returns the effort that fits a budget of tokens best, as the Responses API has it here.
std::string_view effort_for(int64_t budget) {
  return budget <= 2048 ? "low" : budget <= 8192 ? "medium" : "high";
}

/// What is said of the effort counts more than a budget. That nothing is to be thought is not
/// passed on: models that cannot think refuse to be told.
void add_effort(std::string& into, std::string_view thinking, std::string_view effort) {
  std::string_view type, budget;
  read_members(thinking, {{"type", &type}, {"budget_tokens", &budget}});
  const auto tokens = integer_of(budget);
  if (!is_nothing(effort))
    add_member(into, "reasoning_effort", effort);
  else if (json_string(type) == "enabled" && tokens)
    add_member(into, "reasoning_effort", to_json(effort_for(*tokens)));
}

void add_format(std::string& into, std::string_view format) {
  std::string_view type, schema;
  read_members(format, {{"type", &type}, {"schema", &schema}});
  if (json_string(type) == "json_schema" && kind_of(schema) == json_kind::object)
    add_member(into, "response_format",
               R"({"type":"json_schema","json_schema":{"name":"answer","schema":)" +
                   std::string{schema} + "}}");
}

} // namespace

failure write_claude_parameters(const claude_parameters& in,
                                const std::vector<std::string>& left_out, std::string& out) {
  std::string members;
  std::string_view user, effort, format;
  read_members(in.metadata, {{"user_id", &user}});
  read_members(in.output_config, {{"effort", &effort}, {"format", &format}});
  if (auto bad = add_max_tokens(members, in.max_tokens))
    return bad;
  if (auto bad = add_tool_choice(members, in.tool_choice, left_out))
    return bad;
  pass_on(members, "temperature", in.temperature);
  pass_on(members, "top_p", in.top_p);
  pass_on(members, "top_k", in.top_k);
  pass_on(members, "stop", in.stop_sequences);
  pass_on(members, "user", user);
  add_effort(members, in.thinking, effort);
  add_format(members, is_nothing(format) ? in.output_format : format);
  out = members.empty() ? members : "{" + members + "}";
  return {};
}

} // namespace troupe
