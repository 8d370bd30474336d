// The names of tools as Gemini takes them: they begin with a letter or an underscore.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns the tool's name for a request: a name that begins with a digit or '-' gets '_' in front,
/// and so does one that would be taken for such a name. Other names stay.
/// @param name a model's name for a tool (is_model_tool_name)
std::string gemini_tool_name(std::string_view name);

/// Returns the tool that Gemini means by `name`: the inverse of gemini_tool_name().
std::string tool_name_of_gemini(std::string_view name);

} // namespace troupe
