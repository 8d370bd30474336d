#include "messages/wire/clients/responses/response_parameters.hpp"

#include "messages/json.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/clients/responses/response_tools.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/json_members.hpp"

namespace troupe {

namespace {

void hand_on(std::string& into, std::string_view key, std::string_view value) {
  if (!is_nothing(value))
    add_member(into, key, value);
}

failure add_choice(std::string& into, std::string_view choice) {
  if (is_nothing(choice))
    return {};
  if (kind_of(choice) == json_kind::string) {
    const auto word = json_string(choice);
    if (word != "auto" && word != "none" && word != "required")
      return invalid_request("tool_choice must be auto, none, required or an object");
    add_member(into, "tool_choice", choice);
    return {};
  }
  std::string_view type, name, mode, name_space;
  read_members(choice,
               {{"type", &type}, {"name", &name}, {"mode", &mode}, {"namespace", &name_space}});
  const auto kind = json_string(type);
  const auto group = json_string(name_space);
  const auto tool = json_string(name);
  if (kind == "allowed_tools" && !is_nothing(mode))
    add_member(into, "tool_choice", mode);
  else if ((kind == "function" || kind == "custom") && !tool.empty())
    add_member(into, "tool_choice",
               R"({"type":"function","function":{"name":)" +
                   to_json(group.empty() ? tool : namespaced_tool_name(group, tool)) + "}}");
  return {};
}

failure add_bound(std::string& into, std::string_view value) {
  if (is_nothing(value))
    return {};
  if (integer_of(value).value_or(0) < 1)
    return invalid_request("max_output_tokens must be a whole number from 1 on");
  add_member(into, "max_output_tokens", value);
  return {};
}

/// The format is flat here, and in chat completions below `json_schema`.
void add_text(std::string& into, std::string_view text) {
  std::string_view format, verbosity, type;
  read_members(text, {{"format", &format}, {"verbosity", &verbosity}});
  read_members(format, {{"type", &type}});
  const auto kind = json_string(type);
  if (kind == "json_object")
    add_member(into, "response_format", R"({"type":"json_object"})");
  if (kind == "json_schema") {
    std::string members;
    for_each_member(format, [&members](std::string_view key, std::string_view value) {
      if (key != "type")
        add_member(members, key, value);
      return true;
    });
    add_member(into, "response_format",
               R"({"type":"json_schema","json_schema":{)" + members + "}}");
  }
  hand_on(into, "verbosity", verbosity);
}

} // namespace

failure write_response_parameters(const response_parameters& in, std::string& out) {
  std::string members;
  std::string_view effort;
  read_members(in.reasoning, {{"effort", &effort}});
  if (auto bad = add_bound(members, in.max_output_tokens))
    return bad;
  if (auto bad = add_choice(members, in.tool_choice))
    return bad;
  hand_on(members, "parallel_tool_calls", in.parallel_tool_calls);
  hand_on(members, "temperature", in.temperature);
  hand_on(members, "top_p", in.top_p);
  hand_on(members, "reasoning_effort", effort);
  hand_on(members, "user", in.user);
  add_text(members, in.text);
  out = members.empty() ? members : "{" + members + "}";
  return {};
}

} // namespace troupe
