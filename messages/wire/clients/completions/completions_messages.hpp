// The messages of a chat completion as messages for a model.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Reads the `messages` of a chat completion: system (also called developer), user, assistant and
/// tool, with content as a string or as parts. @param array a slice of a json_source
failure read_completions_messages(std::string_view array, std::vector<chat_message>& out);

} // namespace troupe
