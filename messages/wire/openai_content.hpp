// The content of a chat-completions message, in the forms that servers give it.
#pragma once

#include <string_view>
#include <vector>

#include "messages/events.hpp"

namespace troupe {

/// Appends the texts of `json`: a string, a part, or a list of these. Parts that think say so by
/// their type or by the name of the member that holds the text.
/// @param json a slice (see json_slice.hpp)
/// @param as_reasoning whether a text that says nothing of itself is reasoning
void read_openai_content(std::string_view json, bool as_reasoning, std::vector<event>& out);

/// Appends the readable texts of `reasoning_details`, for servers that give no other reasoning.
void read_reasoning_details(std::string_view json, std::vector<event>& out);

} // namespace troupe
