// Tools in a request to the Responses API.
#pragma once

#include <string>
#include <vector>

#include "messages/chat/tool_definition.hpp"

namespace troupe {

/// Returns the JSON array `tools` of a request: a function for each usable_tool. Says `strict` for
/// each, since this API takes it as given where it is left out. The same bytes for the same tools.
std::string responses_tools(const std::vector<tool_definition>& tools);

} // namespace troupe
