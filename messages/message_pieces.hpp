// Where the files of a user's message stand in its text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat_message.hpp"

namespace troupe {

/// Appends to a message's text, behind all of its files. Between a text and the one behind a file
/// after it a line end is to stand: what knows of no files reads one text.
void append_behind(std::string_view more, std::string& text, std::vector<message_file>& files);

/// A text that is not empty, or a file.
struct message_piece {
  std::string_view text;
  const message_file* file = nullptr; ///< nullptr: it is a text
};

/// Returns the texts and files in their order, without the line ends between texts. Both arguments
/// outlive it.
std::vector<message_piece> pieces_of(std::string_view text, const std::vector<message_file>& files);

} // namespace troupe
