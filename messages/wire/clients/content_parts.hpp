// The content of a message as clients of OpenAI's API write it: a string, or an array of parts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/message_layout.hpp"
#include "messages/errors.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

/// Reads each element of `content`, an array, with `read_one(slice, place, texts)`, whose failure
/// ends the walk. @param place where the content is @param out gets the texts and the files
template <class ReadOne>
failure read_part_list(std::string_view content, const std::string& place, chat_message& out,
                       ReadOne read_one) {
  failure bad;
  size_t index = 0;
  piece_collector texts{out.text, out.files};
  for_each_element(content, [&](std::string_view part) {
    bad = read_one(part, fmt::format("{}[{}]", place, index++), texts);
    return !bad;
  });
  texts.end();
  return bad;
}

/// Reads the parts of `content`, an array, into text and files of `out`, whose role is known:
/// `text` and `refusal` of everybody; of a user or a tool also `image_url` with a data:, http: or
/// https: URL, `file` with `file_data`, a data: URL, or `file_id`, an uploaded file, and
/// `filename`, and `input_audio` with `data` and `format`. An image_url may be an uploaded file,
/// too.
/// @param place where the content is, for errors @return request_invalid, or no error
failure read_content_parts(std::string_view content, const std::string& place, chat_message& out);

} // namespace troupe
