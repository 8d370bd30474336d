// The names under which models see tools.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns whether every provider takes `name`: ^[A-Za-z0-9_-]{1,64}$, as OpenAI and Anthropic ask.
bool is_model_tool_name(std::string_view name);

/// Returns `name` if it is_model_tool_name. Otherwise replaces each byte that is not allowed by
/// '_', cuts the name, and appends a hash of `name`. The same name gives the same result in every
/// process.
std::string model_tool_name(std::string_view name);

/// Returns `clean`, cut to 55 bytes, '_' and 8 hex digits made of `original`.
/// @param clean bytes that are allowed in names
std::string hashed_tool_name(std::string_view clean, std::string_view original);

} // namespace troupe
