// Words in which capitals mean nothing, such as names of header fields: RFC 9110, section 5.1.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace troupe {

/// Returns whether two texts are the same but for capitals of ASCII.
constexpr bool same_ignoring_case(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [&](char x, char y) { return lower(x) == lower(y); });
}

/// Returns the text with small letters of ASCII in place of capitals.
inline std::string in_lower_case(std::string_view text) {
  std::string made{text};
  for (auto& c : made)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return made;
}

} // namespace troupe
