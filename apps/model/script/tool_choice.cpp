#include "apps/model/script/tool_choice.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "messages/json_object.hpp"

namespace troupe::scripted {

namespace {

constexpr std::array<std::string_view, 3> sum_names{"get-sum", "sum", "add"};
constexpr std::array<std::string_view, 3> hanging_names{"hang", "trigger-long-running-operation",
                                                        "longRunningOperation"};

/// Values for some properties, as JSON text; the others are made up if they are required.
using given_values = std::vector<std::pair<std::string_view, std::string>>;

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_number(const tool_parameter& what) {
  return what.type == "number" || what.type == "integer";
}

const tool_parameter* first_string(const offered_tool& tool) {
  for (const auto& each : tool.parameters)
    if (each.type == "string")
      return &each;
  return nullptr;
}

std::string arguments_with(const offered_tool& tool, const given_values& given) {
  return json_text([&](json_object& out) {
    for (const auto& each : tool.parameters) {
      const auto value = std::find_if(given.begin(), given.end(),
                                      [&](const auto& pair) { return pair.first == each.name; });
      if (value != given.end() || each.required)
        out.raw(each.name, value == given.end() ? each.sample : value->second);
    }
  });
}

template <class Names>
std::string_view name_among(const offered_tool& tool, const Names& names) {
  for (auto name : names)
    if (is_called(tool.name, name))
      return name;
  return {};
}

/// Returns the first two numbers that the tool takes, both nullptr if it takes fewer.
std::pair<const tool_parameter*, const tool_parameter*> two_numbers(const offered_tool& tool) {
  const tool_parameter* first = nullptr;
  for (const auto& each : tool.parameters) {
    if (!is_number(each))
      continue;
    if (first != nullptr)
      return {first, &each};
    first = &each;
  }
  return {nullptr, nullptr};
}

} // namespace

bool is_called(std::string_view tool, std::string_view base) {
  if (!tool.ends_with(base))
    return false;
  return tool.size() == base.size() || !is_alphanumeric(tool[tool.size() - base.size() - 1]);
}

std::string_view prefix_of(std::string_view tool, std::string_view base) {
  return is_called(tool, base) ? tool.substr(0, tool.size() - base.size()) : std::string_view{};
}

tool_choice choose_echo(const std::vector<offered_tool>& tools, std::string_view text) {
  for (const auto& tool : tools)
    if (is_called(tool.name, "echo"))
      if (const auto* message = first_string(tool))
        return {tool.name, arguments_with(tool, {{message->name, to_json(text)}})};
  return {};
}

tool_choice choose_sum(const std::vector<offered_tool>& tools, std::string_view a,
                       std::string_view b, const std::string_view* other_than) {
  tool_choice fallback;
  for (const auto& tool : tools) {
    const auto base = name_among(tool, sum_names);
    const auto [first, second] = two_numbers(tool);
    if (base.empty() || second == nullptr)
      continue;
    tool_choice found{tool.name, arguments_with(tool, {{first->name, std::string{a}},
                                                       {second->name, std::string{b}}})};
    if (other_than == nullptr || prefix_of(tool.name, base) != *other_than)
      return found;
    if (!fallback)
      fallback = std::move(found);
  }
  return fallback;
}

tool_choice choose_hanging(const std::vector<offered_tool>& tools) {
  for (const auto& tool : tools) {
    if (name_among(tool, hanging_names).empty())
      continue;
    given_values long_run;
    for (const auto& each : tool.parameters)
      if (each.name == "duration" && is_number(each))
        long_run.emplace_back(each.name, "600");
    return {tool.name, arguments_with(tool, long_run)};
  }
  return {};
}

tool_choice choose_failing(const std::vector<offered_tool>& tools) {
  for (const auto& tool : tools)
    if (is_called(tool.name, "fail"))
      return call_of(tool);
  for (const auto& tool : tools)
    if (std::any_of(tool.parameters.begin(), tool.parameters.end(),
                    [](const auto& each) { return each.required; }))
      return {tool.name, "{}"};
  if (tools.empty())
    return {};
  return {tools.front().name, R"({"no_such_argument":true})"};
}

tool_choice call_of(const offered_tool& tool, std::string_view text) {
  given_values given;
  if (const auto* message = first_string(tool); message != nullptr && !text.empty())
    given.emplace_back(message->name, to_json(text));
  return {tool.name, arguments_with(tool, given)};
}

tool_choice choose_any(const std::vector<offered_tool>& tools, std::string_view text) {
  if (auto echo = choose_echo(tools, text))
    return echo;
  if (auto sum = choose_sum(tools, "2", "3"))
    return sum;
  return tools.empty() ? tool_choice{} : call_of(tools.front());
}

} // namespace troupe::scripted
