// Tools of a request that the client runs.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/tool_definition.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Most tools that one request may bring.
inline constexpr size_t max_client_tools = 128;

/// Reads the `tools` of a body: an object `{NAME: {description?, inputSchema?}}` as in the AI SDK,
/// or an array of `{name, description?, inputSchema?}` or of OpenAI's `{type: "function", function:
/// {name, description?, parameters?}}`. Null and absent mean no tools. `parameters` and
/// `input_schema` are accepted for `inputSchema`; a tool without a schema takes no arguments. Names
/// are unique and have 1 to 64 of [A-Za-z0-9_-]. Other members of a tool are ignored.
/// @return request_invalid that names the first bad tool ("tools[2].inputSchema must be an object")
/// @param tools a slice of a json_source
failure read_client_tools(std::string_view tools, std::vector<tool_definition>& out);

/// Reads one tool of such an array behind those that are read already.
failure read_client_tool(std::string_view tool, std::vector<tool_definition>& out);

} // namespace troupe
