#include "messages/wire/history/content_pieces.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "messages/chat/message_layout.hpp"

namespace troupe {

namespace {

/// Collects text until a file comes.
class text_collector {
public:
  explicit text_collector(const text_piece& show) : show_{show} {}

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

  /// Shows what was collected. A part without characters is refused by some servers.
  void end() {
    if (!lacks_text(text_))
      show_(text_);
    text_.clear();
    apart_ = false;
  }

private:
  const text_piece& show_;
  std::string text_;
  bool apart_ = false; ///< the next text begins a new paragraph
};

} // namespace

void for_each_content_piece(const chat_message& message, const file_kinds& taken,
                            const text_piece& text, const file_piece& file) {
  text_collector texts{text};
  for (const auto& each : message.extras)
    texts.paragraph(fmt::format("[Resource \"{}\" of the MCP server \"{}\": {}]\n{}", each.name,
                                each.server_name, each.uri, each.content));
  for (const auto& piece : pieces_of(message.text, message.files)) {
    if (piece.file == nullptr) {
      texts.text(piece.text);
      continue;
    }
    model_file seen;
    read_file(*piece.file, taken, seen);
    if (!seen.is_taken()) {
      texts.paragraph(seen.text);
      continue;
    }
    texts.end();
    file(seen, *piece.file);
  }
  texts.end();
}

std::string text_with_notes(const chat_message& message, const file_kinds& taken) {
  auto text = message.text;
  for (const auto& each : message.files) {
    std::string more;
    if (message.who == role::assistant) {
      more = file_note(each);
    } else {
      model_file seen;
      read_file(each, taken, seen);
      if (seen.is_taken())
        continue;
      more = std::move(seen.text);
    }
    text.append(text.empty() ? "" : "\n").append(more);
  }
  return text;
}

} // namespace troupe
