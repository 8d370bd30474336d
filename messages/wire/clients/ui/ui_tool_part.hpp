// A tool part of the AI SDK's UI messages: a call and its result.
#pragma once

#include <string>
#include <vector>

#include "messages/wire/clients/ui/ui_parts.hpp"

namespace troupe {

/// A tool part as a call for the model.
struct ui_tool_call {
  bool made = false;             ///< false: its arguments are incomplete, so it is no call
  tool_call call;                ///< arguments that are no object have become "{}"
  std::string result;            ///< the call's result in the history, in every state of the part
  std::string title;             ///< its label beside its name; may be empty
  tool_approval approval;        ///< empty id: the user has not just approved or refused the call
  std::vector<shown_part> shown; ///< of the result
};

/// Reads a part of the type `tool-NAME` or `dynamic-tool`. The result is not_run_text if the client
/// has none.
/// @param name the tool's name in the type of a static part, whose tool is the client's; "" for a
/// dynamic part, which has toolName
/// @param index of the part, for the failure's text: ".parts[0].state must be ..."
failure read_tool_part(const ui_part& part, std::string name, size_t index, ui_tool_call& out);

} // namespace troupe
