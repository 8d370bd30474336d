// What a user's message with files or resources is to a chat-completions model.
#pragma once

#include "messages/chat/chat_message.hpp"
#include "messages/json.hpp"

namespace troupe {

/// Appends the content of a message: one string, or where images go along an array of parts, in the
/// order in which the message has them. In front stand its resources, for each a line that says
/// where it is from, and its content; files that do not go as images are text.
/// @param images whether the model takes images
void append_user_content(json_buffer& out, const chat_message& message, bool images);

} // namespace troupe
