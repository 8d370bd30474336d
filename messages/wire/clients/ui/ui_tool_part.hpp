// A tool part of the AI SDK's UI messages: a call, and what became of it.
#pragma once

#include <string>

#include "messages/wire/clients/ui/ui_parts.hpp"

namespace troupe {

/// What a tool part comes to.
struct ui_tool_call {
  bool made = false;      ///< false: its arguments have not come to their end, so it is no call
  tool_call call;         ///< arguments that are no object have become "{}"
  std::string result;     ///< the one that a call has in the history, whatever became of it
  tool_approval approval; ///< without an id: the user has neither given nor refused it just now
};

/// Reads a part of the type `tool-NAME` or `dynamic-tool`. A call whose result the client does not
/// have says not_run_text.
/// @param name of the tool from the type of a static part, whose tool is the client's; "" for a
/// dynamic one, where toolName counts
/// @param index of the part, for the failure's text: ".parts[0].state must be ..."
failure read_tool_part(const ui_part& part, std::string name, size_t index, ui_tool_call& out);

} // namespace troupe
