#include "actors/turn/message_extras.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "actors/turn/history.hpp"
#include "actors/turn/history_match.hpp"

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

/// Fills provider data of `now` from the old history's message with the same first call.
void carry_answer(chat_message& before, const calls_by_id& calls, chat_message& now) {
  fill(now.reasoning, before.reasoning);
  fill(now.provider_metadata, before.provider_metadata);
  for (auto& call : now.tool_calls)
    if (auto known = calls.find(call.id); known != calls.end() && same_call(*known->second, call))
      fill(call.provider_metadata, known->second->provider_metadata);
}

bool lacks_result(const chat_message& message) {
  return message.who == role::tool &&
         (message.text == not_run_text || message.text.starts_with(denied_text));
}

/// A call and its result. An id alone is ambiguous: some models restart their count in each answer.
struct answered_call {
  const tool_call* call;
  const chat_message* result;
};

using calls_with_results = std::unordered_multimap<std::string_view, answered_call>;

calls_with_results results_of(const std::vector<chat_message>& history) {
  calls_with_results results;
  std::unordered_map<std::string_view, const tool_call*> open;
  for (const auto& each : history) {
    for (const auto& call : each.tool_calls)
      open[call.id] = &call;
    if (auto found = open.find(each.tool_call_id); each.who == role::tool && found != open.end())
      results.emplace(each.tool_call_id, answered_call{found->second, &each});
  }
  return results;
}

/// Returns nullptr if that call has none.
const chat_message* result_of(const tool_call& call, const calls_with_results& results) {
  const auto [first, last] = results.equal_range(call.id);
  const auto found = std::find_if(
      first, last, [&](const auto& each) { return same_call(*each.second.call, call); });
  return found == last ? nullptr : found->second.result;
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
  const auto results = results_of(known);
  std::unordered_map<std::string_view, const tool_call*> calls; // the last one of each id so far
  for (auto& each : sent) {
    for (const auto& call : each.tool_calls)
      calls[call.id] = &call;
    if (!lacks_result(each))
      continue;
    const auto call = calls.find(each.tool_call_id);
    if (const auto* result = call == calls.end() ? nullptr : result_of(*call->second, results)) {
      each.text = result->text;
      each.files = result->files;
      each.shown = result->shown;
      each.failed = result->failed;
    } else if (each.text == not_run_text) {
      each.text = missing;
    }
  }
}

bool follow_shown(const chat_message& sent, chat_message& known) {
  if (sent.id.empty() || (sent.shown.empty() && known.shown.empty()))
    return false;
  const auto whole = sent.who == role::user || sent.who == role::system;
  const auto own = whole ? 0 : end_of_own(known.shown);
  const auto behind = std::span{sent.shown}.subspan(whole ? 0 : end_of_own(sent.shown));
  const auto same = [whole](const shown_part& a, const shown_part& b) {
    return whole ? a == b : !begins_message(a) || !begins_message(b) || a.value == b.value;
  };
  if (std::ranges::equal(std::span{known.shown}.subspan(own), behind, same))
    return false;
  known.shown.resize(own);
  known.shown.insert(known.shown.end(), behind.begin(), behind.end());
  return true;
}

void carry_shown(std::vector<chat_message>& old, std::vector<chat_message>& history) {
  std::unordered_map<std::string_view, chat_message*> results;
  for (auto& before : old)
    if (before.who == role::tool)
      results[before.tool_call_id] = &before;
  if (results.empty())
    return;
  for (auto& now : history) {
    const auto known = now.who == role::tool ? results.find(now.tool_call_id) : results.end();
    if (known == results.end() || known->second->text != now.text)
      continue;
    now.files = std::move(known->second->files);
    now.shown = std::move(known->second->shown);
    now.failed = known->second->failed;
    results.erase(known);
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
