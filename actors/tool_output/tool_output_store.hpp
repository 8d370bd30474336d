// Tool results that are too long for a model, on disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include <caf/local_actor.hpp>

#include "messages/interfaces/interfaces.hpp"

namespace troupe {

/// A folder of ours with one file per result. Not thread safe.
class tool_output_folder {
public:
  /// @param path made with mode 0700 at the first write; an existing folder must be ours, and
  /// nobody else may have write permission
  /// @param max_bytes of all files together; over it the oldest are deleted, also those of earlier
  /// runs
  tool_output_folder(std::string_view path, uint64_t max_bytes);

  ~tool_output_folder();
  tool_output_folder(const tool_output_folder&) = delete;
  tool_output_folder& operator=(const tool_output_folder&) = delete;

  /// Writes a new file, mode 0600, whose name begins with the call's id and cannot be guessed.
  /// Returns its absolute path; "" if it could not be written, and then nothing is left of it.
  std::string write(std::string_view call_id, std::string_view text);

private:
  struct file {
    std::string name;
    uint64_t bytes = 0;
    int64_t time_ns = 0; ///< of the last write
  };

  bool open();
  void close();
  void list_files();
  bool make_room(uint64_t bytes);
  bool write_file(const std::string& name, std::string_view text) const;

  std::string path_;
  uint64_t max_bytes_;
  int folder_ = -1;        ///< descriptor
  std::deque<file> files_; ///< the oldest first
  uint64_t bytes_ = 0;     ///< of files_
};

/// Folder and bounds of the stored tool results.
struct tool_output_config {
  std::string folder; ///< see tool_output_folder; "" = nothing is kept
  uint64_t max_bytes = uint64_t{1024} * 1024 * 1024; ///< of all files; the oldest give way
  size_t max_waiting = 64; ///< results that wait for the disk; further ones get no file
};

/// Spawns the store, linked to its parent, with a thread of its own.
tool_output_store_actor spawn_tool_output_store(caf::local_actor& parent,
                                                tool_output_config config);

} // namespace troupe
