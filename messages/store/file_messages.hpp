// Questions about uploaded files to the file_store, and its answers; within the process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/errors.hpp"
#include "messages/store/stored_file.hpp"

namespace troupe {

/// Asks for one file, or has it removed; answered by file_answer.
struct file_request {
  std::string owner;
  std::string id;
  bool removes = false;
};

/// Asks for the files of an owner.
struct list_files {
  std::string owner;
  std::string purpose; ///< empty: any
  std::string after;   ///< the id of the last file of the page before; empty: from the beginning
  uint32_t limit = 100;
  bool oldest_first = false;
};

/// Answers list_files.
struct file_page {
  failure error; ///< request_invalid for an `after` that is no file
  std::vector<stored_file> files;
  bool has_more = false;
};

/// Asks for bytes of a file.
struct read_file_piece {
  std::string owner;
  std::string id;
  uint64_t offset = 0;
  uint32_t most = 256 * 1024; ///< bytes
};

/// Answers read_file_piece.
struct file_piece {
  failure error;
  stored_file file;
  std::string bytes; ///< fewer than asked for at the end only
};

} // namespace troupe
