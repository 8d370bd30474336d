// A history as the `messages` of a chat-completions request.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/model_config.hpp"
#include "messages/json.hpp"

namespace troupe {

/// Appends the list. The same history gives the same bytes, so that prompt caches hold.
/// @param system goes first, where the history does not begin with one; "" = none
///
/// A user's images go as parts if the model takes them; other files go as text, or as a note. Those
/// of tool messages follow in one message of the user, because tool messages hold text only.
void append_openai_messages(json_buffer& out, const std::vector<chat_message>& history,
                            const model_config& model, std::string_view system = {});

} // namespace troupe
