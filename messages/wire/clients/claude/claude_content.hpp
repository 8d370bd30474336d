// The content of a message as Anthropic's clients write it: a string, or an array of blocks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// The type of a block and its slice.
struct claude_block {
  std::string type;
  std::string_view slice;
};

/// Reads what every block has. @param place where it is, for errors
failure read_claude_block(std::string_view slice, const std::string& place, claude_block& out);

/// Reads content of a user or of a tool into text and files of `out`: texts, images, documents and
/// search results. A PDF becomes a file, any other document a text with its images.
/// @param results gets the blocks that are results of tools, each a message of its own; nullptr:
/// there may be none
/// @return request_invalid that names the place
failure read_claude_content(std::string_view content, const std::string& place, chat_message& out,
                            std::vector<chat_message>* results = nullptr);

} // namespace troupe
