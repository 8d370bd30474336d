#include "apps/troupe/data_folder.hpp"

#include <cstdlib>

namespace troupe {

std::string default_data_folder() {
  // A relative XDG_DATA_HOME is to be ignored, says the XDG specification.
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/')
    return std::string{data} + "/troupe";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::string{home} + "/.local/share/troupe";
  return {};
}

} // namespace troupe
