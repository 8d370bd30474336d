// Tools that a request brings with it, run by the client.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/tool_definition.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Most tools that one request may bring.
inline constexpr size_t max_client_tools = 128;

/// Reads the `tools` of a body: an object `{NAME: {description?, inputSchema?}}` as the AI SDK has
/// them, or an array of `{name, description?, inputSchema?}` or of OpenAI's `{type: "function",
/// function: {name, description?, parameters?}}`. Null and absent are none; `parameters` is as good
/// as `inputSchema`, and one that is missing takes no arguments. Names are unique and have 1 to 64
/// of [A-Za-z0-9_-]. Other members of a tool are ignored.
/// @return request_invalid that names the first bad one ("tools[2].inputSchema must be an object")
/// @param tools a slice of a json_source
failure read_client_tools(std::string_view tools, std::vector<tool_definition>& out);

} // namespace troupe
