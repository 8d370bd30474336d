// Messages of a chat with calls of tools.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe::test {

/// Returns what a model said.
inline chat_message model_says(std::string text, std::vector<tool_call> calls = {}) {
  chat_message made;
  made.who = role::assistant;
  made.text = std::move(text);
  made.tool_calls = std::move(calls);
  return made;
}

/// Returns the result of the call with that id.
inline chat_message tool_says(std::string id, std::string text) {
  chat_message made;
  made.who = role::tool;
  made.tool_call_id = std::move(id);
  made.text = std::move(text);
  return made;
}

} // namespace troupe::test
