#include "messages/wire/openai_chat/openai_user_content.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "messages/chat/message_layout.hpp"
#include "messages/wire/openai_chat/openai_files.hpp"

namespace troupe {

namespace {

/// Writes text and images as parts; collects text until an image comes.
class content_parts {
public:
  explicit content_parts(json_buffer& out) : out_{out} {}

  void text(std::string_view more) {
    if (apart_)
      text_ += "\n\n";
    text_ += more;
    apart_ = false;
  }

  /// Adds a paragraph that is not the user's own text.
  void paragraph(std::string_view more) {
    apart_ = apart_ || !text_.empty();
    text(more);
    apart_ = true;
  }

  void image(const message_file& file) {
    end_text();
    begin();
    append_image_part(out_, file);
  }

  /// Ends the array of parts.
  void end() {
    end_text();
    out_.push_back(']');
  }

  /// Returns the text, where no image has come.
  std::string_view text() const { return text_; }

private:
  void begin() {
    out_.push_back(first_ ? '[' : ',');
    first_ = false;
  }

  void end_text() {
    if (!text_.empty()) {
      begin();
      append_text_part(out_, text_);
    }
    text_.clear();
    apart_ = false;
  }

  json_buffer& out_;
  std::string text_;
  bool apart_ = false; ///< the next text begins a new paragraph
  bool first_ = true;
};

} // namespace

void append_user_content(json_buffer& out, const chat_message& message, bool images) {
  content_parts parts{out};
  for (const auto& each : message.extras)
    parts.paragraph(fmt::format("[Resource \"{}\" of the MCP server \"{}\": {}]\n{}", each.name,
                                each.server_name, each.uri, each.content));
  for (const auto& piece : pieces_of(message.text, message.files))
    if (piece.file == nullptr)
      parts.text(piece.text);
    else if (images && is_image(*piece.file))
      parts.image(*piece.file);
    else
      parts.paragraph(file_text(*piece.file, images));
  if (images && std::any_of(message.files.begin(), message.files.end(), is_image))
    parts.end();
  else
    append_json(out, parts.text());
}

} // namespace troupe
