#include "actors/message_extras.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "actors/history.hpp"

namespace troupe {

namespace {

bool is_user(const chat_message& message) {
  return message.who == role::user;
}

message_extra extra_of(attachment from) {
  message_extra made;
  made.name = std::move(from.name);
  made.uri = std::move(from.uri);
  made.server_name = std::move(from.server);
  made.mime_type = std::move(from.mime_type);
  made.content = from.error.empty() ? std::move(from.text)
                                    : "[This resource could not be read: " + from.error + "]";
  return made;
}

using calls_by_id = std::unordered_map<std::string_view, tool_call*>;

bool has_to_go_back(const chat_message& message) {
  return !message.tool_calls.empty() &&
         (!message.reasoning.empty() || !message.provider_metadata.empty() ||
          std::any_of(message.tool_calls.begin(), message.tool_calls.end(),
                      [](const auto& call) { return !call.provider_metadata.empty(); }));
}

void fill(std::string& now, std::string& before) {
  if (now.empty())
    now = std::move(before);
}

/// Goes from message to message: the one that made the first call is the same in both histories.
void carry_answer(chat_message& before, const calls_by_id& calls, chat_message& now) {
  fill(now.reasoning, before.reasoning);
  fill(now.provider_metadata, before.provider_metadata);
  for (auto& call : now.tool_calls)
    if (auto known = calls.find(call.id); known != calls.end() && known->second->name == call.name)
      fill(call.provider_metadata, known->second->provider_metadata);
}

bool lacks_result(const chat_message& message) {
  return message.who == role::tool &&
         (message.text == not_run_text || message.text.starts_with(denied_text));
}

} // namespace

bool attach(std::vector<chat_message>& history, std::vector<attachment> attached) {
  auto last = std::find_if(history.rbegin(), history.rend(), is_user);
  if (last == history.rend())
    return false;
  for (auto& each : attached)
    last->extras.push_back(extra_of(std::move(each)));
  return true;
}

bool carry_extras(std::vector<chat_message>& old, std::vector<chat_message>& history) {
  bool any = false;
  auto now = history.begin();
  for (auto& before : old) {
    if (!is_user(before))
      continue;
    now = std::find_if(now, history.end(), is_user);
    if (now == history.end() || now->text != before.text)
      break; // from here on it is another conversation
    if (now->extras.empty())
      now->extras = std::move(before.extras);
    any = any || !now->extras.empty();
    ++now;
  }
  return any;
}

void carry_answers(std::vector<chat_message>& old, std::vector<chat_message>& history) {
  std::unordered_map<std::string_view, chat_message*> messages;
  calls_by_id calls;
  for (auto& before : old)
    if (has_to_go_back(before))
      for (auto& call : before.tool_calls) {
        messages.emplace(call.id, &before);
        calls.emplace(call.id, &call);
      }
  if (calls.empty())
    return;
  for (auto& now : history) {
    if (now.tool_calls.empty())
      continue;
    if (auto known = messages.find(now.tool_calls[0].id); known != messages.end())
      carry_answer(*known->second, calls, now);
  }
}

void restore_results(const std::vector<chat_message>& known, std::vector<chat_message>& sent,
                     std::string_view missing) {
  if (std::none_of(sent.begin(), sent.end(), lacks_result))
    return;
  std::unordered_map<std::string_view, const chat_message*> results;
  for (const auto& each : known)
    if (each.who == role::tool)
      results.emplace(each.tool_call_id, &each);
  for (auto& each : sent) {
    if (!lacks_result(each))
      continue;
    if (auto result = results.find(each.tool_call_id); result != results.end()) {
      each.text = result->second->text;
      each.files = result->second->files;
    } else if (each.text == not_run_text) {
      each.text = missing;
    }
  }
}

void carry_results(std::vector<chat_message>& old, std::vector<chat_message>& history) {
  for (const auto& call : open_calls(history)) {
    auto known = std::find_if(old.rbegin(), old.rend(),
                              [&](const auto& each) { return each.tool_call_id == call.id; });
    if (known != old.rend())
      history.push_back(std::move(*known));
  }
}

} // namespace troupe
