#include "apps/model/dialect/seal.hpp"

#include <fmt/format.h>

#include "messages/stable_hash.hpp"

namespace troupe::scripted {

std::string seal_of(std::string_view text) {
  return fmt::format("c2VhbGVk{:016x}", stable_hash(text));
}

} // namespace troupe::scripted
