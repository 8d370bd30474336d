#include "messages/wire/anthropic/anthropic_stop_reason.hpp"

#include <array>

namespace troupe {

finish_reason anthropic_stop_reason(std::string_view name) {
  struct row {
    std::string_view name;
    finish_reason reason;
  };
  constexpr std::array rows{
      row{"end_turn", finish_reason::stop},
      row{"stop_sequence", finish_reason::stop},
      row{"tool_use", finish_reason::tool_calls},
      row{"max_tokens", finish_reason::length},
      row{"model_context_window_exceeded", finish_reason::length},
      row{anthropic_refusal, finish_reason::content_filter},
      row{anthropic_pause, finish_reason::stop},
      // Words of servers that only copy the API.
      row{"stop", finish_reason::stop},
      row{"length", finish_reason::length},
      row{"tool_calls", finish_reason::tool_calls},
      row{"content_filter", finish_reason::content_filter},
      row{"sensitive", finish_reason::content_filter},
      row{"error", finish_reason::error},
  };
  for (const auto& each : rows)
    if (each.name == name)
      return each.reason;
  return finish_reason::other;
}

} // namespace troupe
