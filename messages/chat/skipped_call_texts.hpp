// The result texts of tool calls that were not run, or gave nothing.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Stands for an empty tool result: providers refuse a result without text.
inline constexpr std::string_view no_output_text = "(The tool returned nothing.)";

/// The result of a call whose result is unknown or missing.
inline constexpr std::string_view not_run_text = "The tool was not run.";

/// The result of a call that was cut off by the end of the process.
inline constexpr std::string_view restarted_text =
    "The server was restarted while this tool ran; it may or may not have run.";

/// The result of a call whose turn was aborted before the call had ended.
inline constexpr std::string_view aborted_call_text =
    "The turn was aborted before the tool had answered.";

/// The beginning of the result of a call that the user refused, or did not approve in time.
inline constexpr std::string_view denied_text = "The user did not allow the call.";

/// Returns the result of a call that was refused. @param reason of the user; may be empty
inline std::string denial(std::string_view reason) {
  std::string text{denied_text};
  return reason.empty() ? text : text.append(" ").append(reason);
}

} // namespace troupe
