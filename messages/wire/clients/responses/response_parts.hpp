// The content of a message of the Responses API: a string, or an array of parts.
#pragma once

#include <string>
#include <string_view>

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Reads content into text and files of `out`: input_text, output_text, refusal, input_image with a
/// URL, input_file with `file_data` (a data: URL) or `file_url`, and input_audio.
/// @param place where the content is, for errors @return request_invalid, or no error
failure read_response_parts(std::string_view content, const std::string& place, chat_message& out);

} // namespace troupe
