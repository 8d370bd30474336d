// What providers demand of a history, as strict as the strictest of them. Each function returns
// the first fault, as "message 3: ...", or "" when there is none.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "messages/chat/chat_message.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe::test {

inline bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Returns whether providers take it as the name of a tool: [A-Za-z0-9_-]{1,64}.
inline bool is_tool_name(std::string_view name) {
  constexpr std::string_view allowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  return !name.empty() && name.size() <= 64 &&
         name.find_first_not_of(allowed) == std::string_view::npos;
}

/// Checks the calls of one message by themselves.
inline std::string calls_fault(const chat_message& message) {
  std::set<std::string_view> ids;
  for (const auto& call : message.tool_calls) {
    if (call.id.empty() || !ids.insert(call.id).second)
      return fmt::format("the call id \"{}\" is empty or repeated", call.id);
    if (!is_tool_name(call.name))
      return fmt::format("\"{}\" is no tool name", call.name);
    if (!is_json_object(call.arguments))
      return fmt::format("the arguments of {} are no JSON object: {}", call.id, call.arguments);
    if (!call.provider_metadata.empty() && !is_json_object(call.provider_metadata))
      return fmt::format("the metadata of {} are no JSON object", call.id);
  }
  return {};
}

/// Checks one message by itself.
inline std::string message_fault(const chat_message& message) {
  bool is_assistant = message.who == role::assistant;
  if (!is_assistant && (!message.tool_calls.empty() || !message.reasoning.empty() ||
                        !message.provider_metadata.empty()))
    return "only an assistant calls tools, thinks and has metadata";
  if ((message.who == role::tool) == message.tool_call_id.empty())
    return "a tool message answers a call, and no other message does";
  if (is_assistant && message.text.empty() && message.tool_calls.empty())
    return "an assistant's message without calls needs text";
  if (message.who == role::user && message.text.empty() && message.files.empty() &&
      message.extras.empty())
    return "a user's message is empty";
  if (!message.provider_metadata.empty() && !is_json_object(message.provider_metadata))
    return "the metadata are no JSON object";
  return calls_fault(message);
}

/// Checks the rules of OpenAI's chat completions: each call is answered by exactly one tool message
/// directly behind its message, and no tool message stands anywhere else.
inline std::string openai_fault(const std::vector<chat_message>& history) {
  std::set<std::string> open;
  for (size_t i = 0; i < history.size(); ++i) {
    const auto& message = history[i];
    if (auto fault = message_fault(message); !fault.empty())
      return fmt::format("message {}: {}", i, fault);
    if (message.who == role::tool) {
      if (open.erase(message.tool_call_id) == 0)
        return fmt::format("message {}: nothing open has the id \"{}\"", i, message.tool_call_id);
      continue;
    }
    if (!open.empty())
      return fmt::format("message {}: {} has no result", i, *open.begin());
    for (const auto& call : message.tool_calls)
      open.insert(call.id);
  }
  return open.empty() ? std::string{} : fmt::format("at the end: {} has no result", *open.begin());
}

/// Checks what the strictest chat templates and APIs demand of what is sent, beside the rules of
/// OpenAI: a system message is the first, then a user and the assistant alternate, an answer stands
/// between results and the user's next message, the last message is a user's or a result, and no
/// text is blank.
inline std::string template_fault(const std::vector<chat_message>& sent) {
  const chat_message* last = nullptr; // but for the system's
  for (size_t i = 0; i < sent.size(); ++i) {
    const auto& message = sent[i];
    bool calls = !message.tool_calls.empty();
    if (is_blank(message.text) && !calls && message.files.empty())
      return fmt::format("message {}: its text is blank", i);
    if (message.who == role::system) {
      if (i > 0)
        return fmt::format("message {}: a system message has to be the first", i);
      continue;
    }
    bool follows_user = last != nullptr && last->who == role::user;
    bool follows_result = last != nullptr && last->who == role::tool;
    if (message.who == role::user && (follows_user || follows_result))
      return fmt::format("message {}: an answer is missing in front of the user's", i);
    if (message.who == role::assistant && !follows_user && !follows_result)
      return fmt::format("message {}: a user's is missing in front of the answer", i);
    last = &message;
  }
  if (last != nullptr && last->who == role::assistant)
    return "at the end: the last message is an answer";
  return {};
}

/// Checks the rules of Anthropic's messages: those of OpenAI, and once system messages are taken
/// out and neighbours of one role are merged (results count as the user's), a user begins, no text
/// is blank where it is all there is, and a call id is used once in the whole history.
inline std::string anthropic_fault(const std::vector<chat_message>& history) {
  if (auto fault = openai_fault(history); !fault.empty())
    return fault;
  std::set<std::string_view> ids;
  bool begun = false;
  for (size_t i = 0; i < history.size(); ++i) {
    const auto& message = history[i];
    if (message.who == role::system)
      continue;
    if (!begun && message.who != role::user)
      return fmt::format("message {}: a user has to begin", i);
    begun = true;
    bool has_more =
        !message.tool_calls.empty() || !message.files.empty() || !message.extras.empty();
    if (message.who != role::tool && is_blank(message.text) && !has_more)
      return fmt::format("message {}: its text is blank", i);
    for (const auto& call : message.tool_calls)
      if (!ids.insert(call.id).second)
        return fmt::format("message {}: the id {} was used before", i, call.id);
  }
  return {};
}

} // namespace troupe::test
