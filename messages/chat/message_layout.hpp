// Where the files of a user's message stand in its text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe {

/// Joins the texts and files of a message in their order. Two texts with a file between them are
/// separated by a line end, so that a reader without files sees two lines. Adds the files to
/// `files`. `text` and `files` begin empty and outlive the collector.
class piece_collector {
public:
  piece_collector(std::string& text, std::vector<message_file>& files)
      : text_{text}, files_{files} {}

  /// Appends a text that continues the text before.
  void text(std::string_view more) { append(more, false); }

  /// Appends a text that begins a line.
  void line(std::string_view more) { append(more, true); }

  /// Sets message_file::text_behind of each file. Call once, at the end.
  void end();

private:
  void append(std::string_view more, bool is_line);

  std::string& text_;
  std::vector<message_file>& files_;
  bool begun_ = false;         ///< a text was appended, even an empty one
  std::vector<size_t> places_; ///< bytes of text before each file that a text came after
};

/// A text that is not empty, or a file.
struct message_piece {
  std::string_view text;
  const message_file* file = nullptr; ///< nullptr: it is a text
};

/// Returns the texts and files in their order, without the line ends between texts. Both arguments
/// outlive it.
std::vector<message_piece> pieces_of(std::string_view text, const std::vector<message_file>& files);

} // namespace troupe
