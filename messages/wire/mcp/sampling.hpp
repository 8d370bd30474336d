// MCP sampling (specification 2025-11-25, client/sampling).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/tool_definition.hpp"
#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"

namespace troupe::mcp {

/// The params of sampling/createMessage, as a request for a model.
struct sampling_request {
  std::vector<chat_message> messages;   ///< with the system prompt in front, where one is given
  std::vector<std::string> model_hints; ///< names, best first
  uint32_t max_tokens = 0;
  std::string parameters;             ///< JSON object: temperature, stop and tool_choice, if given
  std::vector<tool_definition> tools; ///< tools that the model may call; the server runs them
};

failure parse(std::string_view params, sampling_request& out);

/// Returns a CreateMessageResult of a text, or of tool uses where the model asked for some.
std::string sampling_result(std::string_view model, const chat_message& answer, finish_reason why);

} // namespace troupe::mcp
