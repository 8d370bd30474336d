// The end of a program's stderr, as a part of a failure's text.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Separates, in a failure's text, the reason from the last lines of the program's stderr. Such
/// lines may hold text of any chat: they are for admins and logs only.
inline constexpr std::string_view stderr_tail_mark = "; its stderr ends with:\n";

/// Returns the reason without the tail of stderr; every client may see it.
inline std::string without_stderr_tail(std::string text) {
  if (auto at = text.find(stderr_tail_mark); at != text.npos)
    text.resize(at);
  return text;
}

} // namespace troupe
