// The words of the APIs for how an answer ended, as providers send and clients expect them.
#pragma once

#include <cstdint>
#include <string_view>

#include "messages/chat/usage.hpp"

namespace troupe {

/// The APIs whose answers end with a word.
enum class finish_api : uint8_t { of_openai = 1, of_anthropic = 2, of_gemini = 4, of_ollama = 8 };

inline constexpr std::string_view anthropic_pause = "pause_turn"; ///< no end: the answer goes on
inline constexpr std::string_view anthropic_refusal = "refusal";  ///< and of the same turn again

/// Returns the reason that a server of this API calls `word`; `other` for one that is not known.
/// Gemini's `error` stands for an answer whose calls must not be run: the model broke off in them.
/// Any thread.
finish_reason read_finish_word(finish_api api, std::string_view word);

/// Returns the word that a client of this API gets; that of `stop` for reasons without one. Clients
/// treat the word for calls without calls as a defect: a turn that may run no more calls ends as
/// one that became too long. Any thread.
std::string_view finish_word(finish_api api, finish_reason why, bool has_calls);

} // namespace troupe
