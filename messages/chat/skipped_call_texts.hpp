// What the results of calls say that were not run.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Of a call whose result nobody knows, or has.
inline constexpr std::string_view not_run_text = "The tool was not run.";

/// How the result of a call begins that was refused, by the user or for want of an approval.
inline constexpr std::string_view denied_text = "The user did not allow the call.";

/// Returns the result of a call that was refused. @param reason of the user; may be empty
inline std::string denial(std::string_view reason) {
  std::string text{denied_text};
  return reason.empty() ? text : text.append(" ").append(reason);
}

} // namespace troupe
