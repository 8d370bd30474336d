// The command line of `troupe conversations`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// All options of all verbs; each verb reads its own.
struct conversations_options {
  std::string config_file; ///< names the data folder
  std::string folder;      ///< of the data; empty: the file's, or default_data_folder()
  std::string url;         ///< of a running `troupe serve`; empty: the folder
  std::string owner;       ///< in the folder; on a server the key says it
  bool json = false;
  std::string id;
  std::vector<std::string> ids;
  std::vector<std::string> words;
  uint32_t limit = 0; ///< 0: as many as the server likes
  std::string cursor;
  std::string title;
  std::string message_id;
  std::string new_id;
  std::string file; ///< empty, "-": standard input or output
  bool all = false;
  std::string model;
  std::string servers; ///< names with commas between them
  bool has_model = false;
  bool has_servers = false;
  bool all_servers = false;
  std::string before; ///< day; of the last change
  bool yes = false;   ///< do not ask
  std::string from;
  std::string to;
};

} // namespace troupe
