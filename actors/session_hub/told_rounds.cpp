#include "actors/session_hub/told_rounds.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace troupe {

namespace {

/// White space says nothing: clients join texts in their own ways.
std::string without_space(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out), [](char each) {
    return each != ' ' && each != '\n' && each != '\t' && each != '\r';
  });
  return out;
}

bool is_tool_of(const turn_options& options, const std::string& name) {
  return std::any_of(options.tools.begin(), options.tools.end(),
                     [&](const auto& tool) { return tool.name == name; });
}

/// What messages say: the texts of answers, and of the results behind them.
struct told {
  std::string texts;
  std::vector<std::string_view> results;

  void take(const chat_message& each) {
    if (each.who == role::tool)
      results.emplace_back(each.text);
    else
      texts += without_space(each.text);
  }

  bool operator==(const told&) const = default;
};

told told_in(const std::vector<chat_message>& messages, size_t first, size_t last) {
  told out;
  for (auto i = first; i <= last; ++i)
    out.take(messages[i]);
  return out;
}

/// Finds the answers before `at` whose texts, joined with its own, are these.
std::optional<told_place> find_texts(const std::vector<chat_message>& messages, size_t at,
                                     std::string_view texts) {
  auto seen = without_space(messages[at].text);
  const auto says_nothing = seen.empty();
  for (auto first = at; seen.size() <= texts.size(); --first) {
    if (seen == texts)
      return told_place{first, at};
    if (first == 0 || messages[first - 1].who != role::assistant ||
        !messages[first - 1].tool_calls.empty())
      break;
    seen.insert(0, without_space(messages[first - 1].text));
  }
  return says_nothing ? std::optional{told_place{at, at}} : std::nullopt;
}

/// Returns whether a message is the result of a call that is not the client's.
bool is_result_of_ours(const turn_request& request, size_t at, const chat_message& message) {
  const auto& calls = request.messages[at].tool_calls;
  return message.who == role::tool &&
         std::any_of(calls.begin(), calls.end(), [&](const auto& call) {
           return call.id == message.tool_call_id && !is_tool_of(request.options, call.name);
         });
}

} // namespace

std::vector<tool_call> calls_of_client(const turn_request& request, const chat_message& answer) {
  std::vector<tool_call> own;
  for (const auto& call : answer.tool_calls)
    if (is_tool_of(request.options, call.name))
      own.push_back(call);
  return own;
}

std::optional<told_place> find_told(const turn_request& request, size_t begin, size_t at,
                                    const std::vector<chat_message>& rounds) {
  const auto& messages = request.messages;
  auto first = begin;
  while (first < at && messages[first].who != role::assistant)
    ++first; // the question, or results of the client
  auto last = at;
  while (last + 1 < messages.size() && is_result_of_ours(request, at, messages[last + 1]))
    ++last;
  const auto tells_calls =
      std::any_of(messages.begin() + static_cast<std::ptrdiff_t>(first),
                  messages.begin() + static_cast<std::ptrdiff_t>(at) + 1, [&](const auto& each) {
                    return calls_of_client(request, each).size() < each.tool_calls.size();
                  });
  const auto all = told_in(rounds, 0, rounds.size() - 1);
  if (!tells_calls)
    return find_texts(messages, at, all.texts);
  return told_in(messages, first, last) == all ? std::optional{told_place{first, last}}
                                               : std::nullopt;
}

} // namespace troupe
