// One JSON text of Ollama's answer, split but not interpreted.
#pragma once

#include <string_view>

namespace troupe {

/// The parts of one line that the engine uses; a plain answer has the form of a line, too. All
/// views are JSON text inside the text that was read, empty if a part is missing or null.
struct ollama_line {
  bool is_answer = false; ///< there is a message, or `done`
  bool done = false;      ///< the last line
  std::string_view content;
  std::string_view thinking;
  std::string_view tool_calls;
  std::string_view done_reason;
  std::string_view error;        ///< the error that is told in place of an answer
  std::string_view input_count;  ///< tokens of the prompt, cached ones included
  std::string_view cached_count; ///< of these: taken from the cache
  std::string_view output_count; ///< tokens of the answer, thoughts included
};

/// Takes the object that `json` is apart.
/// @param json is followed by json_padding readable bytes
/// @return false when it is no JSON object, breaks off, or has more behind it
bool read_ollama_line(std::string_view json, ollama_line& out);

} // namespace troupe
