// Patterns of names, as a shell has them.
#pragma once

#include <string_view>

namespace troupe {

/// Returns whether `text` fits the pattern, in which * stands for any characters, or none. All
/// other characters stand for themselves.
constexpr bool matches_glob(std::string_view pattern, std::string_view text) noexcept {
  size_t star = std::string_view::npos, from = 0, at = 0, i = 0;
  while (i < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      from = i;
    } else if (at < pattern.size() && pattern[at] == text[i]) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++from;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*')
    ++at;
  return at == pattern.size();
}

} // namespace troupe
