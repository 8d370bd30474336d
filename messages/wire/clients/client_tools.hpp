// Tools of a request that the client runs.
#pragma once

#include <functional>
#include <string>
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

/// Reads one tool of such an array after those that are read already. @param place where it is,
/// for errors
failure read_client_tool(std::string_view tool, const std::string& place,
                         std::vector<tool_definition>& out);

/// Reads one tool. @param place "tools[2]"
using tool_reader = std::function<failure(std::string_view tool, const std::string& place)>;

/// Reads an array of tools; null and absent mean none. The first failure ends the walk.
/// @param place where it is, for errors
failure read_tool_array(std::string_view tools, const std::string& place,
                        const tool_reader& read_one);

} // namespace troupe
