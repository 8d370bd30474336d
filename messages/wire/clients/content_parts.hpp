// The content of a message as clients of OpenAI's API write it: a string, or an array of parts.
#pragma once

#include <string>
#include <string_view>

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Reads the parts of `content`, an array, into text and files of `out`, whose role is known:
/// `text` and `refusal` of everybody; of a user also `image_url` with a data:, http: or https: URL,
/// `file` with `file_data`, a data: URL, or `file_id`, an uploaded file, and `filename`, and
/// `input_audio` with `data` and `format`. An image_url may be an uploaded file, too.
/// @param place where the content is, for errors @return request_invalid, or no error
failure read_content_parts(std::string_view content, const std::string& place, chat_message& out);

} // namespace troupe
