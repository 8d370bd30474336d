// Tools in a request to a chat-completions server.
#pragma once

#include <string>
#include <vector>

#include "messages/chat/tool_definition.hpp"

namespace troupe {

/// Returns the JSON array `tools` of a request (OpenAI, "Create chat completion"): a function for
/// each usable_tool. The same bytes for the same tools.
std::string openai_tools(const std::vector<tool_definition>& tools);

} // namespace troupe
