// How safe what is kept has to be.
#pragma once

#include <cstdint>
#include <string>

namespace troupe {

/// When a write counts as done.
enum class durability : uint8_t {
  full,   ///< it survives a loss of power
  normal, ///< it survives the end of the process at any moment
  none    ///< nobody waits for it, and turns go on when it fails
};

std::string to_string(durability how);

} // namespace troupe
