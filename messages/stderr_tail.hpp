// What a program wrote before it failed, as a part of the text of its failure.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace troupe {

/// Stands in a failure's text between what happened and the end of what the program had written to
/// stderr. That may tell of anybody's chats: it is for admins, and in logs.
inline constexpr std::string_view stderr_tail_mark = "; its stderr ends with:\n";

/// Returns what happened, for everybody.
inline std::string without_stderr_tail(std::string text) {
  if (auto at = text.find(stderr_tail_mark); at != text.npos)
    text.resize(at);
  return text;
}

} // namespace troupe
