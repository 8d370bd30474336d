// The output of a tool part: kept beside the text that a model is told, and made from it again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/json.hpp"

namespace troupe {

/// Returns what must be kept of an output, so that append_output() gives it back: an entry, or
/// nothing where the text says it all. The usual outputs (a string, the client's JSON, text and
/// images of an MCP server) are not kept twice.
/// @param output a slice of a json_source
/// @param text, files of the message that is the call's result
std::optional<shown_part> shown_output(std::string_view output, std::string_view text,
                                       const std::vector<message_file>& files);

/// Appends the output of a call, a JSON value. In the output of a server each image replaces its
/// note in the text.
void append_output(json_buffer& out, const chat_message& result);

/// Returns the part of a call whose arguments never came to their end, which is none for a model.
/// @param title its label beside its name; "" = none
std::string broken_call_part(const tool_call& call, std::string_view title,
                             std::string_view error_text);

/// Appends `"type":..,"toolName":..,"toolCallId":..` of a tool part; a client's tool has its name
/// in the type. @param name of the tool, as the client was shown it
void append_tool_head(json_buffer& out, const tool_call& call, std::string_view name);

} // namespace troupe
