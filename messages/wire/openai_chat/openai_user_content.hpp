// A user's message with files or resources as content for a chat-completions model.
#pragma once

#include "messages/chat/chat_message.hpp"
#include "messages/chat/model_config.hpp"
#include "messages/json.hpp"

namespace troupe {

/// Appends the content of a message: one string, or, if images are sent, an array of parts in the
/// message's order. Its resources come first, each with a line about its origin and its content;
/// files that are not sent as such become text.
/// @param taken what the model takes
void append_user_content(json_buffer& out, const chat_message& message, const file_kinds& taken);

} // namespace troupe
