// How texts grow that may become long.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace troupe {

/// Appends. A text that becomes long gets room for all that it may have at once: to grow step by
/// step copies megabytes while the loop does nothing else, and room that is not used is not taken
/// from the machine. @param most bytes that it may have
inline void append_long(std::string& text, std::string_view more, size_t most) {
  constexpr size_t long_text = size_t{256} * 1024;
  constexpr size_t room = size_t{64} * 1024 * 1024;
  const auto size = text.size() + more.size();
  if (size > text.capacity() && size > long_text)
    text.reserve(std::max(size, std::min(most, room)));
  text.append(more);
}

} // namespace troupe
