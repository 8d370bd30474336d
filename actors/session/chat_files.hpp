// Uploaded files in a chat: the history names them, and a model gets their bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/store/chat_file_messages.hpp"

namespace troupe {

/// The uploaded files that a history names.
struct named_files {
  std::vector<std::string> ids; ///< each once, the newest last
  uint32_t fresh = 0;           ///< so many of the last ones are of the message to be answered
};

/// Returns those of the history.
named_files files_named_in(const std::vector<chat_message>& history);

/// Returns the history with the bytes of these files in the place of their names. The other ones
/// stay as they are; a model is told that they are gone.
std::vector<chat_message> with_contents(const std::vector<chat_message>& history,
                                        const std::vector<file_content>& files);

} // namespace troupe
