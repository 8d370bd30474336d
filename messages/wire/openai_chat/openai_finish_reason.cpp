#include "messages/wire/openai_chat/openai_finish_reason.hpp"

#include <array>

#include "messages/ascii_case.hpp"

namespace troupe {

finish_reason openai_finish_reason(std::string_view name) {
  struct row {
    std::string_view name;
    finish_reason reason;
  };
  constexpr std::array rows{
      row{"stop", finish_reason::stop},
      row{"length", finish_reason::length},
      row{"tool_calls", finish_reason::tool_calls},
      row{"content_filter", finish_reason::content_filter},
      row{"function_call", finish_reason::tool_calls},
      row{"tool_use", finish_reason::tool_calls},
      row{"max_tokens", finish_reason::length},
      row{"model_length", finish_reason::length},
      row{"end_turn", finish_reason::stop},
      row{"eos", finish_reason::stop},
      row{"eos_token", finish_reason::stop},
      row{"stop_sequence", finish_reason::stop},
      row{"sensitive", finish_reason::content_filter},
      row{"error", finish_reason::error},
      row{"network_error", finish_reason::error},
      row{"insufficient_system_resource", finish_reason::error},
      row{"function_call_filter", finish_reason::error},
  };
  name = name.substr(0, name.find(':')); // Gemini: "content_filter: PROHIBITED_CONTENT"
  for (const auto& each : rows)
    if (same_ignoring_case(each.name, name))
      return each.reason;
  return finish_reason::other;
}

} // namespace troupe
