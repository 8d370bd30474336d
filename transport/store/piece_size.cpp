#include "transport/store/piece_size.hpp"

#include <algorithm>

#include "transport/store/kept_bytes.hpp"

namespace troupe {

size_t end_of_piece(const std::vector<stored_message>& all, size_t from) {
  const auto last = std::min(all.size(), from + piece_rows);
  size_t bytes = bytes_of(all[from].message);
  for (auto at = from + 1; at < last; ++at) {
    bytes += bytes_of(all[at].message);
    if (bytes > piece_bytes)
      return at;
  }
  return last;
}

bool is_long(const conversation& content) {
  if (content.messages.size() + content.turns.size() > piece_rows)
    return true;
  size_t bytes = 0;
  for (const auto& each : content.messages)
    bytes += bytes_of(each.message);
  return bytes > piece_bytes;
}

} // namespace troupe
