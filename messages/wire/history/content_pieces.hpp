// The content of a user's message, as models see it: texts, and files between them.
#pragma once

#include <functional>
#include <string_view>

#include "messages/chat/chat_message.hpp"
#include "messages/wire/history/model_file.hpp"

namespace troupe {

/// Is shown a text that has more than white space.
using text_piece = std::function<void(std::string_view text)>;

/// Is shown a file that the model takes as such; `from` is the message's own.
using file_piece = std::function<void(const model_file& file, const message_file& from)>;

/// Shows the content in its order. Resources (extras) come first; files that the model does not
/// take are a part of the text; neighbouring texts are shown as one.
void for_each_content_piece(const chat_message& message, const file_kinds& taken,
                            const text_piece& text, const file_piece& file);

/// Returns the text of a result or an answer, with lines for the files that the model does not
/// take: of an answer none, of a result those that `taken` lacks.
std::string text_with_notes(const chat_message& message, const file_kinds& taken);

} // namespace troupe
