#include "actors/history.hpp"

#include <algorithm>
#include <string>
#include <utility>

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
  results.erase(found);
  return taken;
}

bool needs_repair(const std::vector<chat_message>& history) {
  return std::any_of(history.begin(), history.end(), [](const auto& each) {
    return each.who == role::tool || !each.tool_calls.empty();
  });
}

} // namespace

void repair_history(std::vector<chat_message>& history, std::string_view reason) {
  if (!needs_repair(history))
    return;
  std::vector<chat_message> repaired;
  repaired.reserve(history.size());
  for (size_t i = 0; i < history.size();) {
    auto& message = history[i++];
    if (message.who == role::tool)
      continue; // a result without its call
    std::vector<chat_message> results;
    while (i < history.size() && history[i].who == role::tool)
      results.push_back(std::move(history[i++]));
    for (auto& call : message.tool_calls)
      if (!is_json_object(call.arguments))
        call.arguments = "{}";
    auto calls = message.tool_calls;
    repaired.push_back(std::move(message));
    for (const auto& call : calls)
      repaired.push_back(take_result(call, results, reason));
  }
  history = std::move(repaired);
}

} // namespace troupe
