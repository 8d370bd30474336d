// One JSON text of Gemini's answer, split but not interpreted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The members of `usageMetadata`; views of JSON text, empty if missing.
struct gemini_counts {
  std::string_view prompt;
  std::string_view candidates;
  std::string_view thoughts;
  std::string_view tool_prompt;
  std::string_view cached;
  std::string_view total;
};

/// The members of one GenerateContentResponse that the engine uses. All views are JSON text inside
/// the text that was read, empty if a member is missing.
struct gemini_chunk {
  bool is_answer = false; ///< there are candidates, even none, a verdict on the prompt, or counts
  std::vector<std::string_view> parts; ///< of the candidate with index 0
  std::string_view finish_reason;
  std::string_view finish_message;
  std::string_view block_reason; ///< why the prompt was blocked
  std::string_view block_message;
  gemini_counts usage;
  std::string_view error;  ///< the error that the provider reports in place of an answer
  std::string_view behind; ///< what follows the object in the text
};

/// Takes the object at the start of `json` apart.
/// @param json is followed by json_padding readable bytes
/// @return false when it is no JSON object, or breaks off
bool read_gemini_chunk(std::string_view json, gemini_chunk& out);

/// One part of an answer; views as above.
struct gemini_part {
  std::string_view text;      ///< a string
  std::string_view call;      ///< `functionCall`, an object
  std::string_view signature; ///< `thoughtSignature`, a string that is not empty
  bool is_thought = false;
  std::string other; ///< the name of the member that holds anything else: "inlineData"
};

/// Takes a part apart. @param json a slice of an object
gemini_part read_gemini_part(std::string_view json);

} // namespace troupe
