// Tools in the JSON of Ollama.
#pragma once

#include <string>
#include <vector>

#include "messages/chat/tool_definition.hpp"

namespace troupe {

/// Returns the value of `tools`; "[]" if none can be used (for_each_usable_tool).
std::string ollama_tools(const std::vector<tool_definition>& tools);

} // namespace troupe
