// One JSON text of a chat-completions answer, split but not interpreted.
#pragma once

#include <string_view>

namespace troupe {

/// The members of a delta or message: views of JSON text, empty if missing or null.
struct openai_delta {
  std::string_view content;
  std::string_view refusal;
  std::string_view reasoning;         ///< `reasoning_content`, or else `reasoning`
  std::string_view reasoning_details; ///< OpenRouter's list: readable and sealed reasoning
  std::string_view extra_content;     ///< Gemini's: sent back unchanged
  std::string_view tool_calls;
  std::string_view function_call; ///< the older form of one tool call
};

/// The parts of one chunk, or of a whole completion, that the engine uses. All views are JSON text
/// inside the text that was read, empty if a part is missing or null.
struct openai_chunk {
  bool has_choices = false; ///< there is a list of choices, even an empty one
  bool is_whole = false;    ///< the choice is a message, not a piece of one
  openai_delta delta;       ///< of the choice with index 0
  bool is_text = false;     ///< the choice is one of a text completion
  std::string_view finish_reason;
  std::string_view
      stop_reason; ///< vLLM's and SGLang's: the stop sequence, or the number of a token
  std::string_view usage;
  std::string_view inner_usage; ///< of the choice, or Groq's
  std::string_view error;       ///< the error that the provider reports in place of an answer
  std::string_view behind;      ///< what follows the object in the text
};

/// Takes the object at the start of `json` apart.
/// @param json is followed by json_padding readable bytes
/// @return false when it is no JSON object, or breaks off
bool read_openai_chunk(std::string_view json, openai_chunk& out);

} // namespace troupe
