// Tokens as Gemini counts them.
#pragma once

#include <optional>

#include "messages/chat/usage.hpp"
#include "messages/wire/gemini/gemini_chunk.hpp"

namespace troupe {

/// Reads the counts, in our way to count: the output has the thoughts, the input what tools of the
/// provider needed. Nothing if there are none.
std::optional<usage> read_gemini_usage(const gemini_counts& counts);

} // namespace troupe
