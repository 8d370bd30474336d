// How much of its history a client has sent as the session has it.
#pragma once

#include <cstddef>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe {

/// Returns how many messages at the beginning of both say the same. What a client can not know, or
/// does not send, is no difference where it is not in `sent`: ids, attachments, reasoning, what a
/// provider wants back, files of tool results, white space in arguments, how closely to look at
/// an image.
size_t same_messages(const std::vector<chat_message>& known, const std::vector<chat_message>& sent);

/// Returns whether both are one call, by the same rules: a client sends names and arguments as it
/// was shown them.
bool same_call(const tool_call& known, const tool_call& sent);

} // namespace troupe
