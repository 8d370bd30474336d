// The tools of a request of Anthropic's clients.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/tool_definition.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// The tools that a model sees.
struct claude_tools {
  std::vector<tool_definition> tools;
  std::vector<std::string> left_out; ///< names of those that Anthropic's servers would run
};

/// Reads the tools of a request, and what its messages change: a deferred tool is seen once a
/// `tool_reference` or a `tool_addition` names it, others until a `tool_removal` does. Where the
/// request has Anthropic's servers search among the deferred ones, which is not done here, all are
/// seen.
/// @param tools, messages the members of the body @return request_invalid that names a tool
failure read_claude_tools(std::string_view tools, std::string_view messages, claude_tools& out);

/// Returns what a model is told in place of a block that changes its tools; "" for other blocks.
std::string told_tool_change(std::string_view type, std::string_view block);

} // namespace troupe
