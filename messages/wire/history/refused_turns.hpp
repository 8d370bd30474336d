// Turns that a provider refused to answer.
#pragma once

#include <optional>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe {

/// Returns the history without the turns that were refused (chat_message::refused) and have another
/// one after them: Anthropic and Gemini go on refusing as long as they see them. Nothing if there
/// are none.
std::optional<std::vector<chat_message>>
without_refused_turns(const std::vector<chat_message>& history);

} // namespace troupe
