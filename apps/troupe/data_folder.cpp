#include "apps/troupe/data_folder.hpp"

#include <cstdlib>

namespace troupe {

namespace {

/// @param variable of the XDG specification, which says that a relative path is to be ignored
/// @param below_home where it is when the variable is not set
std::string own_folder(const char* variable, const char* below_home) {
  if (const char* given = std::getenv(variable); given != nullptr && *given == '/')
    return std::string{given} + "/troupe";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::string{home} + below_home;
  return {};
}

} // namespace

std::string default_data_folder() {
  return own_folder("XDG_DATA_HOME", "/.local/share/troupe");
}

std::string default_state_folder() {
  return own_folder("XDG_STATE_HOME", "/.local/state/troupe");
}

} // namespace troupe
