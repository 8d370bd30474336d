#include "transport/http_server/client_link.hpp"

namespace troupe {

bool client_link::take_drained() {
  if (!full.load(std::memory_order_relaxed))
    return false;
  if (waiting.load(std::memory_order_relaxed) + posted.load(std::memory_order_relaxed) > low_water)
    return false;
  full.store(false, std::memory_order_relaxed);
  return true;
}

bool client_link::admit(size_t size) {
  const auto now = posted.fetch_add(size, std::memory_order_relaxed) + size +
                   waiting.load(std::memory_order_relaxed);
  if (now <= high_water)
    return true;
  // Before the bytes are posted: the flush of these bytes comes later and reads `full`.
  full.store(true, std::memory_order_relaxed);
  return false;
}

} // namespace troupe
