#include "actors/history.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "actors/tools_index.hpp"
#include "messages/wire/json_check.hpp"

namespace troupe {

namespace {

chat_message result_of(const tool_call& call, std::string text) {
  chat_message made;
  made.who = role::tool;
  made.tool_call_id = call.id;
  made.text = std::move(text);
  return made;
}

/// Takes the result of `call` out of `results`, or makes one that gives the reason.
chat_message take_result(const tool_call& call, std::vector<chat_message>& results,
                         std::string_view reason) {
  auto found = std::find_if(results.begin(), results.end(),
                            [&](const auto& each) { return each.tool_call_id == call.id; });
  if (found == results.end())
    return result_of(call, std::string{reason});
  auto taken = std::move(*found);
  taken.tool_call_id = call.id;
  found->tool_call_id.clear(); // it is taken; to erase it would shift all others
  if (taken.text.empty())
    taken.text = "(The tool returned nothing.)";
  return taken;
}

bool is_empty_answer(const chat_message& message) {
  return message.who == role::assistant && message.tool_calls.empty() &&
         message.text.find_first_not_of(" \t\r\n") == std::string::npos;
}

bool needs_repair(const std::vector<chat_message>& history) {
  return std::any_of(history.begin(), history.end(), [](const auto& each) {
    return each.who == role::tool || !each.tool_calls.empty() || is_empty_answer(each);
  });
}

void repair_call(tool_call& call) {
  if (!is_json_object(call.arguments))
    call.arguments = "{}";
  call.name = model_tool_name(call.name);
}

} // namespace

void repair_history(std::vector<chat_message>& history, std::string_view reason) {
  if (!needs_repair(history))
    return;
  std::vector<chat_message> repaired;
  repaired.reserve(history.size());
  for (size_t i = 0; i < history.size();) {
    auto& message = history[i++];
    if (message.who == role::tool || is_empty_answer(message))
      continue; // a result without its call
    std::vector<chat_message> results;
    while (i < history.size() && history[i].who == role::tool)
      results.push_back(std::move(history[i++]));
    std::for_each(message.tool_calls.begin(), message.tool_calls.end(), repair_call);
    auto calls = message.tool_calls;
    repaired.push_back(std::move(message));
    for (const auto& call : calls)
      repaired.push_back(take_result(call, results, reason));
  }
  history = std::move(repaired);
}

const chat_message* last_calls(const std::vector<chat_message>& history) {
  auto last = std::find_if(history.rbegin(), history.rend(),
                           [](const auto& each) { return each.who != role::tool; });
  return last == history.rend() || last->tool_calls.empty() ? nullptr : &*last;
}

std::vector<tool_call> open_calls(const std::vector<chat_message>& history) {
  const auto* last = last_calls(history);
  if (last == nullptr)
    return {};
  auto open = last->tool_calls;
  for (auto each = last + 1; each != history.data() + history.size(); ++each)
    std::erase_if(open, [&](const auto& call) { return call.id == each->tool_call_id; });
  return open;
}

} // namespace troupe
