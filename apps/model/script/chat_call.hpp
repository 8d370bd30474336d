// The facts that the scripted model reads out of a request, in whichever API it came.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace troupe::scripted {

/// The facts of a request that every script needs.
struct chat_call {
  std::string model; ///< names the script
  bool stream = false;
  bool include_usage = false; ///< chat completions: stream_options.include_usage
  bool as_list = false;       ///< Gemini without alt=sse: the stream is a JSON array
};

/// One property of a tool's input schema.
struct tool_parameter {
  std::string name;
  std::string type; ///< JSON Schema's name, the first one of several; "" if the schema names none
  bool required = false;
  std::string sample; ///< JSON text of a value that the schema takes
};

/// One tool that the request offers.
struct offered_tool {
  std::string name;
  std::vector<tool_parameter> parameters; ///< in the order of the schema
};

/// The result of one tool call, as the request reports it.
struct seen_result {
  std::string tool; ///< name of the tool that was called
  std::string text;
};

/// The facts beside chat_call for scripts that talk about the chat.
struct conversation {
  std::string user_text;            ///< of the last user message
  std::vector<seen_result> results; ///< since the last user message, in the order of the request
  size_t rounds = 0;                ///< assistant messages with calls since the last user message
  size_t calls = 0;                 ///< calls in the whole history; makes the next call's id unique
  std::vector<offered_tool> tools;
  size_t sealed_rounds = 0; ///< those of the rounds whose sealed reasoning came back
  bool goes_on = false;     ///< the history ends with an answer that was only paused
};

} // namespace troupe::scripted
