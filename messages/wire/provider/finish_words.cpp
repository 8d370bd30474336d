#include "messages/wire/provider/finish_words.hpp"

#include <array>

#include "messages/ascii_case.hpp"

namespace troupe {

namespace {

constexpr unsigned chat = static_cast<unsigned>(finish_api::of_openai);
constexpr unsigned claude = static_cast<unsigned>(finish_api::of_anthropic);
constexpr unsigned gemini = static_cast<unsigned>(finish_api::of_gemini);
constexpr unsigned ollama = static_cast<unsigned>(finish_api::of_ollama);

struct finish_row {
  std::string_view word;
  finish_reason reason;
  unsigned read; ///< the APIs whose servers say it; copies of an API use words of others, too
  unsigned written = 0; ///< the APIs whose clients get it
};

/// THE list of these words.
constexpr std::array finish_rows{
    finish_row{"stop", finish_reason::stop, chat | claude | ollama, chat | ollama},
    finish_row{"end_turn", finish_reason::stop, chat | claude, claude},
    finish_row{"stop_sequence", finish_reason::stop, chat | claude},
    finish_row{"eos", finish_reason::stop, chat},
    finish_row{"eos_token", finish_reason::stop, chat},
    finish_row{anthropic_pause, finish_reason::stop, claude},
    finish_row{"STOP", finish_reason::stop, gemini},
    finish_row{"length", finish_reason::length, chat | claude | ollama, chat | ollama},
    finish_row{"max_tokens", finish_reason::length, chat | claude, claude},
    finish_row{"model_length", finish_reason::length, chat},
    finish_row{"model_context_window_exceeded", finish_reason::length, claude},
    finish_row{"MAX_TOKENS", finish_reason::length, gemini},
    finish_row{"tool_calls", finish_reason::tool_calls, chat | claude, chat},
    finish_row{"tool_use", finish_reason::tool_calls, chat | claude, claude},
    finish_row{"function_call", finish_reason::tool_calls, chat},
    finish_row{"content_filter", finish_reason::content_filter, chat | claude, chat},
    finish_row{anthropic_refusal, finish_reason::content_filter, claude, claude},
    finish_row{"sensitive", finish_reason::content_filter, chat | claude},
    finish_row{"SAFETY", finish_reason::content_filter, gemini},
    finish_row{"RECITATION", finish_reason::content_filter, gemini},
    finish_row{"BLOCKLIST", finish_reason::content_filter, gemini},
    finish_row{"PROHIBITED_CONTENT", finish_reason::content_filter, gemini},
    finish_row{"SPII", finish_reason::content_filter, gemini},
    finish_row{"MODEL_ARMOR", finish_reason::content_filter, gemini},
    finish_row{"IMAGE_SAFETY", finish_reason::content_filter, gemini},
    finish_row{"IMAGE_PROHIBITED_CONTENT", finish_reason::content_filter, gemini},
    finish_row{"IMAGE_RECITATION", finish_reason::content_filter, gemini},
    finish_row{"error", finish_reason::error, chat | claude},
    finish_row{"network_error", finish_reason::error, chat},
    finish_row{"insufficient_system_resource", finish_reason::error, chat},
    finish_row{"function_call_filter", finish_reason::error, chat},
    finish_row{"MALFORMED_FUNCTION_CALL", finish_reason::error, gemini},
    finish_row{"UNEXPECTED_TOOL_CALL", finish_reason::error, gemini},
    finish_row{"TOO_MANY_TOOL_CALLS", finish_reason::error, gemini},
    finish_row{"MISSING_THOUGHT_SIGNATURE", finish_reason::error, gemini},
    finish_row{"MALFORMED_RESPONSE", finish_reason::error, gemini},
};

} // namespace

finish_reason read_finish_word(finish_api api, std::string_view word) {
  // Servers of this API are many, and spell as they like.
  const auto same = api == finish_api::of_openai
                        ? same_ignoring_case
                        : +[](std::string_view a, std::string_view b) noexcept { return a == b; };
  for (const auto& each : finish_rows)
    if ((each.read & static_cast<unsigned>(api)) != 0 && same(each.word, word))
      return each.reason;
  return finish_reason::other;
}

std::string_view finish_word(finish_api api, finish_reason why, bool has_calls) {
  if (why == finish_reason::tool_calls && !has_calls)
    why = finish_reason::length;
  std::string_view word;
  for (const auto& each : finish_rows)
    if ((each.written & static_cast<unsigned>(api)) != 0)
      if (each.reason == why || (each.reason == finish_reason::stop && word.empty()))
        word = each.word;
  return word;
}

} // namespace troupe
