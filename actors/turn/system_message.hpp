// The system message of a chat, where a turn sets it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe {

/// Makes `text` the one system message of a history, at its front and in place of all that the
/// history has; without text it has none. Returns from which message on the history differs now;
/// its size where it said the same already.
/// @param id of the message that is made; may be empty
size_t set_system_message(std::vector<chat_message>& history, std::string_view text,
                          std::string id);

} // namespace troupe
