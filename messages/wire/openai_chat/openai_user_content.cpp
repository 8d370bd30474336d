#include "messages/wire/openai_chat/openai_user_content.hpp"

#include <string_view>

#include "messages/wire/history/content_pieces.hpp"
#include "messages/wire/openai_chat/openai_files.hpp"
#include "messages/wire/provider/part_list.hpp"

namespace troupe {

namespace {

void append_file(json_buffer& out, part_list& parts, const model_file& seen,
                 const message_file& from) {
  if (!seen.is_image && seen.data().empty()) // the protocol has no document behind a URL
    return parts.text(file_note(from));
  parts.begin_file();
  if (seen.is_image)
    append_image_part(out, seen.url, from.detail);
  else if (seen.is_audio)
    append_audio_part(out, seen.type(), seen.data());
  else
    append_file_part(out, seen.url, from.filename);
}

} // namespace

void append_user_content(json_buffer& out, const chat_message& message, const file_kinds& taken) {
  part_list parts{out, append_text_part};
  for_each_content_piece(
      message, taken, [&](std::string_view text) { parts.text(text); },
      [&](const model_file& file, const message_file& from) {
        append_file(out, parts, file, from);
      });
  parts.end();
}

} // namespace troupe
