// Tool results that are too long for a model, on disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <caf/local_actor.hpp>

#include "messages/interfaces/interfaces.hpp"

namespace troupe {

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
