#include "apps/model/script/tool_scripts.hpp"

#include <utility>

#include <fmt/format.h>

#include "apps/model/script/tool_choice.hpp"

namespace troupe::scripted {

namespace {

constexpr size_t longest_quote = 4096;

/// Returns the text, shortened where it is too long to be quoted, never inside a character.
std::string quote(std::string_view text) {
  if (text.size() <= longest_quote)
    return std::string{text};
  size_t end = longest_quote;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return fmt::format("{} ... ({} bytes in all)", text.substr(0, end), text.size());
}

answer say_of_tools(std::string text) {
  answer out;
  out.text = std::move(text);
  return out;
}

answer no_tool() {
  return say_of_tools("This script calls a tool, but the request offers none that it can call.");
}

/// Says what every tool answered, in the order of the calls.
answer say_results(const conversation& talk) {
  std::string text;
  for (const auto& result : talk.results) {
    if (!text.empty())
      text += '\n';
    text += fmt::format("The tool {} answered: {}", result.tool, quote(result.text));
  }
  return say_of_tools(std::move(text));
}

void add_call(answer& to, const conversation& talk, tool_choice choice) {
  to.finish = "tool_calls";
  to.calls.push_back({fmt::format("call_{:06}", talk.calls + to.calls.size() + 1),
                      std::move(choice.name), std::move(choice.arguments)});
}

answer call_once(const conversation& talk, tool_choice choice) {
  if (!choice)
    return no_tool();
  answer out;
  add_call(out, talk, std::move(choice));
  return out;
}

/// Chooses the second call of a chain: a sum, if possible on another server than the first call;
/// else another tool, which gets the first result.
tool_choice follow_up(const conversation& talk) {
  const auto& first = talk.results.back();
  const auto prefix = prefix_of(first.tool, "echo");
  if (auto sum = choose_sum(talk.tools, "2", "3", &prefix); sum && sum.name != first.tool)
    return sum;
  for (const auto& tool : talk.tools)
    if (tool.name != first.tool)
      return call_of(tool, quote(first.text));
  return talk.tools.empty() ? tool_choice{} : call_of(talk.tools.front(), quote(first.text));
}

} // namespace

answer call_script(const script_input& in) {
  const auto& talk = in.talk;
  return talk.rounds > 0 ? say_results(talk)
                         : call_once(talk, choose_any(talk.tools, talk.user_text));
}

answer chain_script(const script_input& in) {
  const auto& talk = in.talk;
  if (talk.rounds == 0)
    return call_script(in);
  if (talk.rounds == 1 && !talk.results.empty())
    return call_once(talk, follow_up(talk));
  return say_results(talk);
}

answer parallel_script(const script_input& in) {
  const auto& talk = in.talk;
  if (talk.rounds > 0)
    return say_results(talk);
  auto first = choose_any(talk.tools, talk.user_text);
  if (!first)
    return no_tool();
  auto second = choose_sum(talk.tools, "2", "3");
  answer out;
  add_call(out, talk, first);
  add_call(out, talk, second ? std::move(second) : std::move(first));
  return out;
}

answer unknown_tool_script(const script_input& in) {
  return in.talk.rounds > 0 ? say_results(in.talk)
                            : call_once(in.talk, {"no-such-tool", R"({"message":"troupe"})"});
}

answer bad_arguments_script(const script_input& in) {
  const auto& talk = in.talk;
  if (talk.rounds > 0)
    return say_results(talk);
  auto choice = choose_any(talk.tools, talk.user_text);
  choice.arguments = R"({"message": "troupe)";
  return call_once(talk, std::move(choice));
}

answer tool_error_script(const script_input& in) {
  return in.talk.rounds > 0 ? say_results(in.talk)
                            : call_once(in.talk, choose_failing(in.talk.tools));
}

answer loop_script(const script_input& in) {
  const auto text = fmt::format("round {}", in.talk.rounds + 1);
  return call_once(in.talk, choose_any(in.talk.tools, text));
}

answer hang_call_script(const script_input& in) {
  return in.talk.rounds > 0 ? say_results(in.talk)
                            : call_once(in.talk, choose_hanging(in.talk.tools));
}

} // namespace troupe::scripted
