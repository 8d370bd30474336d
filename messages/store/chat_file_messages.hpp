// Messages between chats and the file_store, whose files they use; within the process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/errors.hpp"

namespace troupe {

/// Asks for the files that a chat's history names, and notes that the chat uses them.
struct read_chat_files {
  std::string chat;             ///< scoped: its owner's files
  std::vector<std::string> ids; ///< the newest last
  uint32_t wanted = 0; ///< so many of the last ones must be there: those of the new message
  bool kept = false;   ///< the chat outlives the turn: it keeps its files
};

/// The contents of one file, as a model gets it.
struct file_content {
  std::string id;
  std::string media_type;
  std::string filename;
  std::string url; ///< data:
};

/// Answers read_chat_files.
struct file_contents {
  failure error;                   ///< file_unknown: one of the wanted is not there
  std::vector<file_content> files; ///< those that are there, and not too many bytes
};

/// Says what became of a chat that may use files.
struct chat_files_news {
  std::string chat;               ///< scoped
  std::string copy;               ///< another chat that has the same files now
  std::vector<std::string> named; ///< it uses these from now on; without both: the chat is gone
};

} // namespace troupe
