// The input of a response as messages for a model.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Reads `input`, a string or an array of items, behind the messages of `out`. Neighbouring items
/// of an answer (reasoning, text, calls) are one message; a call of an MCP server is a call and its
/// result. Items of what other servers ran themselves are left out.
/// @return request_invalid that names the place ("input[2].call_id must be ...")
failure read_response_input(std::string_view input, std::vector<chat_message>& out);

} // namespace troupe
