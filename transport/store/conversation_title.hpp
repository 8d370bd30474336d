// The automatic titles of conversations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe {

/// Returns the automatic title of a conversation: the first user's text on one line, at most 80
/// characters.
std::string title_of(std::string_view text);

/// Gives a conversation without a title that of the first user's message that has one.
void give_title(std::string& title, const std::vector<chat_message>& messages);

} // namespace troupe
