// The input of a response as messages for a model.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"
#include "messages/wire/clients/responses/referred_items.hpp"
#include "messages/wire/clients/responses/response_tools.hpp"

namespace troupe {

/// Where an input is read to.
struct response_input {
  std::vector<chat_message>& messages; ///< is added to
  response_tools& tools;               ///< those that the input brings are added
  referred_items& items; ///< what the input refers to: what it wants is added; what was looked up
                         ///< is read
};

/// Reads `input`, a string or an array of items. Neighbouring items of an answer (reasoning, text,
/// calls) are one message; a call of an MCP server is a call and its result. Items of what other
/// servers ran themselves are left out.
/// @return request_invalid that names the place ("input[2].call_id must be ..."), or not_found for
/// an item that is not kept
failure read_response_input(std::string_view input, const response_input& out);

} // namespace troupe
