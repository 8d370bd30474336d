// Texts for models and people about a tool whose name had to be changed.
#pragma once

#include <string>

#include "messages/chat/tool_definition.hpp"

namespace troupe {

/// Returns whether the tool's name does not show what its server calls it: the original has
/// characters that providers refuse, or was cut. False for a tool of the client.
bool is_disguised(const tool_definition& tool);

/// Returns what a page shows for a tool that is_disguised: its title, and its server's name for it;
/// "" for any other tool, whose name says it. At most 512 bytes.
std::string label_of(const tool_definition& tool);

/// Returns the description for the model. Of a tool that is_disguised it begins with a line that
/// has the server's name for it and the title, so that the model can tell it from others.
std::string description_of(const tool_definition& tool);

} // namespace troupe
