// One JSON text of a chat-completions answer, taken apart but not interpreted.
#pragma once

#include <cstddef>
#include <string_view>

namespace troupe {

/// What a delta or message holds: views of JSON text, empty where it is missing or null.
struct openai_delta {
  std::string_view content;
  std::string_view refusal;
  std::string_view reasoning;         ///< `reasoning_content`, or else `reasoning`
  std::string_view reasoning_details; ///< OpenRouter's list: readable and sealed reasoning
  std::string_view extra_content;     ///< Gemini's: goes back as it came
  std::string_view tool_calls;
  std::string_view function_call; ///< the older form of one tool call
};

/// The parts of one chunk, or of a whole completion, that mean something to us. All views are JSON
/// text inside the text that was read, empty where a part is missing or null.
struct openai_chunk {
  bool has_choices = false; ///< there is a list of choices, be it empty
  openai_delta delta;       ///< of the choice with index 0
  std::string_view finish_reason;
  std::string_view usage;
  std::string_view error; ///< what the provider reports in place of an answer
};

/// Takes `json` apart.
/// @param json is followed by json_padding readable bytes
/// @return false when it is no JSON object, or breaks off
bool read_openai_chunk(std::string_view json, openai_chunk& out);

} // namespace troupe
