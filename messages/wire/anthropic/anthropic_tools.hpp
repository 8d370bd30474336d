// The tools of a request in Anthropic's JSON.
#pragma once

#include <string>
#include <vector>

#include "messages/chat/tool_definition.hpp"

namespace troupe {

/// Returns the array of tools; "[]" if none is usable. A parameter whose name the API refuses
/// stands in the description: the model may still use it. Gives the same bytes for the same tools.
std::string anthropic_tools(const std::vector<tool_definition>& tools);

/// The same with `strict` for the tools that ask for it, for models that take it. Their schemas are
/// those of anthropic_schema().
std::string anthropic_strict_tools(const std::vector<tool_definition>& tools);

} // namespace troupe
