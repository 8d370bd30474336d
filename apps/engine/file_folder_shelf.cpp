#include "apps/engine/file_folder_shelf.hpp"

#include "actors/files/folder_shelf.hpp"

namespace troupe {

std::unique_ptr<file_shelf> open_folder_files(const std::string& data) {
  return std::make_unique<folder_shelf>(data + "/files", file_limits{});
}

} // namespace troupe
