// Compares a client's history with the session's.
#pragma once

#include <cstddef>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe {

/// Returns how many messages at the beginning of both are the same. Parts that a client does not
/// know or send may be missing in `sent`: ids, attachments, reasoning, provider metadata, files of
/// tool results, white space in arguments, the detail of an image.
size_t same_messages(const std::vector<chat_message>& known, const std::vector<chat_message>& sent);

/// Returns whether both are the same call, by the same rules. Names and arguments may differ in
/// form: the client was shown the model's own, and writes JSON again.
bool same_call(const tool_call& known, const tool_call& sent);

} // namespace troupe
