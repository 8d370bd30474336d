// The files of a chat message, as a chat-completions request can carry them.
#pragma once

#include <string>

#include "messages/chat/chat_message.hpp"
#include "messages/json.hpp"

namespace troupe {

/// Returns whether the file is sent as an image, if the model takes images.
bool is_image(const message_file& file);

/// Returns the text for a file that is not sent as an image: the file's own text, if it is a text
/// and its URL holds the data, else a note that it was attached. Without a line end at its end.
/// @param images whether the model takes images
std::string file_text(const message_file& file, bool images);

/// Appends {"type":"image_url",...}.
void append_image_part(json_buffer& out, const message_file& file);

/// Appends {"type":"text",...}.
void append_text_part(json_buffer& out, std::string_view text);

} // namespace troupe
