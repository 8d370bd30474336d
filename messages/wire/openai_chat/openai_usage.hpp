// How many tokens an answer in OpenAI's chat-completions JSON has used.
#pragma once

#include <optional>
#include <string_view>

#include "messages/chat/usage.hpp"

namespace troupe {

/// Reads a `usage` object; nothing if it counts no tokens, as `{}`, with which some servers end a
/// stream that has told them before. A total that is missing is the sum of what came and went.
/// Tokens of a cache are where OpenAI, DeepSeek or Moonshot say them.
/// @param json is followed by json_padding readable bytes
std::optional<usage> read_openai_usage(std::string_view json);

} // namespace troupe
