// Why an answer ended, in Anthropic's words.
#pragma once

#include <string_view>

#include "messages/chat/usage.hpp"

namespace troupe {

inline constexpr std::string_view anthropic_pause = "pause_turn"; ///< no end: the answer goes on
inline constexpr std::string_view anthropic_refusal = "refusal";  ///< and of the same turn again

/// Returns the reason with that name; `other` for one that is not known.
finish_reason anthropic_stop_reason(std::string_view name);

} // namespace troupe
