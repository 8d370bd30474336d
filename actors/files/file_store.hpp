// Uploaded files: who has which, and their bytes.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <caf/local_actor.hpp>

#include "messages/interfaces/file_interfaces.hpp"
#include "messages/limits.hpp"
#include "messages/store/file_shelf.hpp"

namespace troupe {

/// Place and bounds of uploaded files.
struct file_store_config {
  std::string folder; ///< is made at the start
  file_limits limits;
  std::function<std::unique_ptr<file_shelf>()> open = {}; ///< in place of the folder
};

/// The most bytes of files in one turn, the newest files first: they are held in memory while it
/// runs, a third larger.
inline constexpr uint64_t max_turn_file_bytes = 64 << 20;

/// Spawns the store, linked to its parent, with a thread of its own. Where nothing can be
/// written it refuses uploads, and continues.
file_store_actor spawn_file_store(caf::local_actor& parent, file_store_config config);

} // namespace troupe
