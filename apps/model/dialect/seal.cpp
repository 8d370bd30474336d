#include "apps/model/dialect/seal.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace troupe::scripted {

std::string seal_of(std::string_view text) {
  uint64_t hash = 14695981039346656037ULL; // FNV-1a
  for (const char c : text)
    hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211ULL;
  return fmt::format("c2VhbGVk{:016x}", hash);
}

} // namespace troupe::scripted
