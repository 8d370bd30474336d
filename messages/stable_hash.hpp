// A hash that is the same in every process and build.
#pragma once

#include <cstdint>
#include <string_view>

namespace troupe {

/// Returns the FNV-1a hash of a text, 64 bits (draft-eastlake-fnv). std::hash may differ from one
/// build to the next. It does not withstand whoever looks for two texts with one hash. Any thread.
constexpr uint64_t stable_hash(std::string_view text) noexcept {
  uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text)
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3;
  return hash;
}

} // namespace troupe
