#include "messages/wire/gemini/gemini_finish_reason.hpp"

#include <array>

namespace troupe {

finish_reason gemini_finish_reason(std::string_view name) {
  struct row {
    std::string_view name;
    finish_reason reason;
  };
  constexpr std::array rows{
      row{"STOP", finish_reason::stop},
      row{"MAX_TOKENS", finish_reason::length},
      row{"SAFETY", finish_reason::content_filter},
      row{"RECITATION", finish_reason::content_filter},
      row{"BLOCKLIST", finish_reason::content_filter},
      row{"PROHIBITED_CONTENT", finish_reason::content_filter},
      row{"SPII", finish_reason::content_filter},
      row{"MODEL_ARMOR", finish_reason::content_filter},
      row{"IMAGE_SAFETY", finish_reason::content_filter},
      row{"IMAGE_PROHIBITED_CONTENT", finish_reason::content_filter},
      row{"IMAGE_RECITATION", finish_reason::content_filter},
      row{"MALFORMED_FUNCTION_CALL", finish_reason::error},
      row{"UNEXPECTED_TOOL_CALL", finish_reason::error},
      row{"TOO_MANY_TOOL_CALLS", finish_reason::error},
      row{"MISSING_THOUGHT_SIGNATURE", finish_reason::error},
      row{"MALFORMED_RESPONSE", finish_reason::error},
  };
  for (const auto& each : rows)
    if (each.name == name)
      return each.reason;
  return finish_reason::other;
}

bool is_block_reason(std::string_view name) {
  return !name.empty() && name != "BLOCK_REASON_UNSPECIFIED" &&
         name != "BLOCKED_REASON_UNSPECIFIED";
}

} // namespace troupe
