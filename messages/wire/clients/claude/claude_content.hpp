// The content of a message as Anthropic's clients write it: a string, or an array of blocks.
#pragma once

#include <string>
#include <string_view>

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
/// search results. Blocks that are results of tools are left out: they are messages of their own.
/// A PDF becomes a file, any other document a text. @return request_invalid that names the place
failure read_claude_content(std::string_view content, const std::string& place, chat_message& out);

} // namespace troupe
