// A history as the `messages` of a chat-completions request.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/model_config.hpp"
#include "messages/json.hpp"

namespace troupe {

/// Appends the list. The same history gives the same bytes, so that prompt caches work.
/// A history that a strict server would refuse is repaired (request_history).
/// @param system first message, unless the history begins with a system message; "" = none
/// @param seals whether what servers sealed goes back to them
///
/// A user's images are sent as parts if the model takes images; other files as text, or as a note.
/// Images of tool messages follow in one user message, because tool messages hold text only.
void append_openai_messages(json_buffer& out, const std::vector<chat_message>& history,
                            const model_config& model, std::string_view system = {},
                            bool seals = true);

} // namespace troupe
