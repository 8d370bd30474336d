// How long a word of PostgreSQL's index may be.
#pragma once

#include <cstddef>
#include <string_view>

namespace troupe {

/// Returns the part of a word that the index holds: PostgreSQL takes 2046 bytes. It ends with a
/// whole character.
constexpr std::string_view clipped_word(std::string_view word) {
  constexpr size_t most_bytes = 2000;
  if (word.size() <= most_bytes)
    return word;
  size_t end = most_bytes;
  while (end > 0 && (word[end] & '\xC0') == '\x80')
    --end;
  return word.substr(0, end);
}

} // namespace troupe
