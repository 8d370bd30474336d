#include "messages/wire/openai_chat/openai_user_content.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "messages/chat/message_layout.hpp"
#include "messages/wire/openai_chat/openai_files.hpp"
#include "messages/wire/provider/history_order.hpp"
#include "messages/wire/provider/model_file.hpp"

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

  void file(const message_file& what, bool images) {
    model_file seen;
    read_file(what, images, seen);
    if (!seen.is_image)
      return paragraph(seen.text);
    end_text();
    begin();
    append_image_part(out_, seen.url, what.detail);
  }

  /// Ends the array of parts; without an image the content is one string.
  void end() {
    if (first_)
      return append_json(out_, text_);
    end_text();
    out_.push_back(']');
  }

private:
  void begin() {
    out_.push_back(first_ ? '[' : ',');
    first_ = false;
  }

  /// A part without characters is refused by some servers.
  void end_text() {
    if (!lacks_text(text_)) {
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
    else
      parts.file(*piece.file, images);
  parts.end();
}

} // namespace troupe
