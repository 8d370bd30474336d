// Where the files of a user's message stand in its text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe {

/// Puts a message together from its texts and files in their order. Between a text and the one
/// behind a file after it stands a line end: what knows of no files reads one text. The files are
/// added to `files` itself; `text` and `files` begin empty and outlive it.
class piece_collector {
public:
  piece_collector(std::string& text, std::vector<message_file>& files)
      : text_{text}, files_{files} {}

  /// Appends a text that goes on where the one before ended.
  void text(std::string_view more) { append(more, false); }

  /// Appends a text that begins a line.
  void line(std::string_view more) { append(more, true); }

  /// Says in each file where it stands. To be called once, at the end.
  void end();

private:
  void append(std::string_view more, bool is_line);

  std::string& text_;
  std::vector<message_file>& files_;
  bool begun_ = false;         ///< a text came, be it empty
  std::vector<size_t> places_; ///< bytes of text before each file that a text came behind
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
