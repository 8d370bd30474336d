// The history of a request of Anthropic's clients as messages for a model.
#pragma once

#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Reads `system`, a string or an array of text blocks, into a system message at the end of `out`;
/// none if it has no text.
failure read_claude_system(std::string_view system, std::vector<chat_message>& out);

/// Reads `messages` behind those of `out`. Results of tools become messages of their own before the
/// rest of their message. Of an answer texts, thinking and calls are read; blocks that another
/// server sealed or ran itself are left out. @param array a slice of a json_source
failure read_claude_messages(std::string_view array, std::vector<chat_message>& out);

} // namespace troupe
