// How many tokens an answer in OpenAI's JSON has used.
#pragma once

#include <optional>
#include <string_view>

#include "messages/chat/usage.hpp"

namespace troupe {

/// Reads a `usage` object, in the words of chat completions or of the Responses API. Returns
/// nothing if it counts no tokens, such as the `{}` at the end of some streams that have sent the
/// counts before. A missing total is the sum of input and output. Cached tokens are read from the
/// members of OpenAI, DeepSeek and Moonshot. What is no count, as a negative number or more than
/// 10^12, is 0. For usage::update.
/// @param json is followed by json_padding readable bytes
std::optional<usage> read_openai_usage(std::string_view json);

} // namespace troupe
