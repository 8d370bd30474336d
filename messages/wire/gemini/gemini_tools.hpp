// The tools of a request as Gemini takes them.
#pragma once

#include <string>
#include <vector>

#include "messages/chat/tool_definition.hpp"

namespace troupe {

/// Returns [{"functionDeclarations":[...]}] with `parametersJsonSchema`; "" where no tool is
/// usable: an empty list is refused.
std::string gemini_tools(const std::vector<tool_definition>& tools);

/// The same with `parameters` in Gemini's own subset of JSON Schema.
std::string gemini_reduced_tools(const std::vector<tool_definition>& tools);

} // namespace troupe
