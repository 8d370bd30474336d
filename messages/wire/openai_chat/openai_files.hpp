// Parts of a user's message in a chat-completions request.
#pragma once

#include <string_view>

#include "messages/json.hpp"

namespace troupe {

/// Returns whether it is one of OpenAI's words for how closely a model looks at an image. Servers
/// refuse others, which are left out therefore.
bool is_image_detail(std::string_view word);

/// Appends {"type":"image_url",...}. @param detail is_image_detail(), or left out
void append_image_part(json_buffer& out, std::string_view url, std::string_view detail);

/// Appends {"type":"file",...}. @param url data: URL @param filename may be empty; servers want one
void append_file_part(json_buffer& out, std::string_view url, std::string_view filename);

/// Appends {"type":"input_audio",...}. @param type "audio/wav" or "audio/mpeg" @param data base64
void append_audio_part(json_buffer& out, std::string_view type, std::string_view data);

/// Appends {"type":"text",...}.
void append_text_part(json_buffer& out, std::string_view text);

} // namespace troupe
