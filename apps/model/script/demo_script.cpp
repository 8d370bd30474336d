// The script behind `troupe serve` without a model: it shows what the engine does, to a person.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "apps/model/script/tool_choice.hpp"
#include "apps/model/script/tool_scripts.hpp"

namespace troupe::scripted {

namespace {

/// Returns the tool's name without the prefix of its server, which ends with "__".
std::string_view plain_name(std::string_view tool) {
  const auto prefix = tool.rfind("__");
  return prefix == std::string_view::npos ? tool : tool.substr(prefix + 2);
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

/// Returns whether `name` stands in `text` as a word of its own.
bool mentions(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at == 0 || !is_word_character(text[at - 1])) &&
        (end == text.size() || !is_word_character(text[end])))
      return true;
  }
  return false;
}

/// Returns the integers that stand in the text, as JSON numbers, at most nine digits each.
std::vector<std::string> numbers_in(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  std::vector<std::string> out;
  for (auto at = text.find_first_of(digits); at != std::string_view::npos;
       at = text.find_first_of(digits, at)) {
    const auto end = std::min(text.find_first_not_of(digits, at), text.size());
    auto number = text.substr(at, end - at);
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size() - 1));
    out.emplace_back(number.substr(0, 9));
    at = end;
  }
  return out;
}

/// Returns whether calling the tool without arguments can hardly do harm.
bool only_reads(const offered_tool& tool) {
  constexpr std::array<std::string_view, 3> verbs{"get", "list", "read"};
  const auto name = plain_name(tool.name);
  const bool reads =
      std::any_of(verbs.begin(), verbs.end(), [&](auto verb) { return name.starts_with(verb); });
  return reads && std::none_of(tool.parameters.begin(), tool.parameters.end(),
                               [](const auto& each) { return each.required; });
}

/// Chooses what a person would expect: the tool that they name, a sum of their numbers, an echo, or
/// something that only reads. A tool that might do harm is called only by name.
tool_choice fitting_call(const conversation& talk) {
  const auto numbers = numbers_in(talk.user_text);
  auto sum = numbers.size() >= 2 ? choose_sum(talk.tools, numbers[0], numbers[1])
                                 : choose_sum(talk.tools, "2", "3");
  for (const auto& tool : talk.tools)
    if (mentions(talk.user_text, tool.name) || mentions(talk.user_text, plain_name(tool.name)))
      return tool.name == sum.name ? sum : call_of(tool, talk.user_text);
  if (sum && numbers.size() >= 2)
    return sum;
  if (auto echo = choose_echo(talk.tools, talk.user_text))
    return echo;
  if (sum)
    return sum;
  for (const auto& tool : talk.tools)
    if (only_reads(tool))
      return call_of(tool);
  return {};
}

std::string introduction(const conversation& talk) {
  std::string text = "Hello! I am Troupe's scripted model: no language model is configured, so my "
                     "answers are fixed. Set OPENAI_API_KEY or OPENAI_BASE_URL, or add a model to "
                     "the configuration, to talk to a real one.";
  if (!talk.user_text.empty())
    text += fmt::format(" You wrote: {}", talk.user_text.substr(0, 2000));
  if (!talk.tools.empty())
    text += fmt::format(" {} tools are connected; name one and I will call it, for example {}.",
                        talk.tools.size(), talk.tools.front().name);
  return text;
}

} // namespace

answer demo_script(const script_input& in) {
  const auto& talk = in.talk;
  if (talk.rounds > 0) {
    auto out = call_script(in);
    out.text = "I called a tool for you, as a real model would. " + out.text;
    return out;
  }
  answer out;
  if (auto choice = fitting_call(talk)) {
    out.text = fmt::format("Let me ask the tool {}.", choice.name);
    out.finish = "tool_calls";
    out.calls.push_back({fmt::format("call_{:06}", talk.calls + 1), std::move(choice.name),
                         std::move(choice.arguments)});
    return out;
  }
  out.text = introduction(talk);
  return out;
}

} // namespace troupe::scripted
