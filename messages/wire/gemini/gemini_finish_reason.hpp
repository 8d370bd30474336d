// Why Gemini ends an answer, or refuses to begin one.
#pragma once

#include <string_view>

#include "messages/chat/usage.hpp"

namespace troupe {

/// Returns what a `finishReason` means: MAX_TOKENS, SAFETY and the like. `error` stands for an
/// answer whose calls must not be run, because the model broke off in them.
finish_reason gemini_finish_reason(std::string_view name);

/// Returns whether a `blockReason` blocks the prompt: any, but for the word for none.
bool is_block_reason(std::string_view name);

} // namespace troupe
