// The script that does what it is told: programs with tools of their own can be tried with it.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/model/script/tool_choice.hpp"
#include "apps/model/script/tool_scripts.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe::scripted {

namespace {

constexpr std::string_view order = "call ";
constexpr std::string_view and_order = "and call ";

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

/// Returns the offered tool that is called `name`, with or without a server's prefix; else `name`.
std::string offered_name(const std::vector<offered_tool>& tools, std::string_view name) {
  for (const auto& tool : tools)
    if (tool.name == name)
      return tool.name;
  for (const auto& tool : tools)
    if (is_called(tool.name, name))
      return tool.name;
  return std::string{name};
}

/// Reads NAME {JSON}. Returns false for something else.
bool read_call(std::string_view text, const conversation& talk, tool_choice& out) {
  const auto call = without_blanks(text);
  const auto name = call.substr(0, call.find(' '));
  const auto arguments = without_blanks(call.substr(name.size()));
  out = {offered_name(talk.tools, name), std::string{arguments}};
  return is_json_object(arguments);
}

/// Returns the calls of each answer that lines of the user's message order: "call NAME {JSON}", and
/// "and call NAME {JSON}" for one more in the same answer.
std::vector<std::vector<tool_choice>> ordered_answers(const conversation& talk) {
  std::vector<std::vector<tool_choice>> answers;
  for (std::string_view rest = talk.user_text; !rest.empty();) {
    auto line = without_blanks(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    const auto joins = line.starts_with(and_order) && !answers.empty();
    if (joins)
      line.remove_prefix(and_order.size() - order.size());
    tool_choice call;
    if (!line.starts_with(order) || !read_call(line.substr(order.size()), talk, call))
      continue;
    if (!joins)
      answers.emplace_back();
    answers.back().push_back(std::move(call));
  }
  return answers;
}

} // namespace

answer told_script(const script_input& in) {
  const auto& talk = in.talk;
  auto answers = ordered_answers(talk);
  answer out;
  if (talk.rounds < answers.size()) {
    out.finish = "tool_calls";
    for (auto& next : answers[talk.rounds])
      out.calls.push_back({fmt::format("call_{:06}", talk.calls + out.calls.size() + 1),
                           std::move(next.name), std::move(next.arguments)});
  } else if (talk.rounds > 0) {
    return call_script(in); // quotes the results
  } else {
    out.text = "The message has no line that orders a call: call NAME {\"argument\": ...}.";
  }
  return out;
}

} // namespace troupe::scripted
