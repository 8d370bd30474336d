#include "transport/store/piece_size.hpp"

#include "transport/store/kept_bytes.hpp"

namespace troupe {

bool is_long(const conversation& content) {
  if (content.messages.size() + content.turns.size() > piece_rows)
    return true;
  size_t bytes = 0;
  for (const auto& each : content.messages)
    bytes += bytes_of(each.message);
  return bytes > piece_characters;
}

} // namespace troupe
