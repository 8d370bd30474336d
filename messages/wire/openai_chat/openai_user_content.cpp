#include "messages/wire/openai_chat/openai_user_content.hpp"

#include <string>
#include <string_view>

#include "messages/wire/openai_chat/openai_files.hpp"
#include "messages/wire/provider/content_pieces.hpp"

namespace troupe {

namespace {

/// Writes parts from the first file on; without one the content is one string.
class content_parts {
public:
  explicit content_parts(json_buffer& out) : out_{out} {}

  void text(std::string_view more) {
    if (first_)
      text_.append(text_.empty() ? "" : "\n\n").append(more);
    else
      add_text(more);
  }

  void file(const model_file& seen, const message_file& from) {
    if (!seen.is_image && seen.data().empty()) // the protocol has no document behind a URL
      return text(file_note(from));
    end_text();
    begin();
    if (seen.is_image)
      append_image_part(out_, seen.url, from.detail);
    else
      append_file_part(out_, seen.url, from.filename);
  }

  void end() {
    if (first_)
      return append_json(out_, text_);
    out_.push_back(']');
  }

private:
  void begin() {
    out_.push_back(first_ ? '[' : ',');
    first_ = false;
  }

  void add_text(std::string_view text) {
    begin();
    append_text_part(out_, text);
  }

  void end_text() {
    if (first_ && !text_.empty())
      add_text(text_);
  }

  json_buffer& out_;
  std::string text_; ///< that comes before the first part of a file
  bool first_ = true;
};

} // namespace

void append_user_content(json_buffer& out, const chat_message& message, const file_kinds& taken) {
  content_parts parts{out};
  for_each_content_piece(
      message, taken, [&](std::string_view text) { parts.text(text); },
      [&](const model_file& file, const message_file& from) { parts.file(file, from); });
  parts.end();
}

} // namespace troupe
