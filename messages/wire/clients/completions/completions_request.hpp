// The bodies of POST /v1/chat/completions and POST /v1/completions, as OpenAI's clients send them.
#pragma once

#include <string_view>

#include "messages/chat/turn_request.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// A completion as it is asked for. The turn is ephemeral and holds the whole history.
struct completions_request {
  turn_request turn;          ///< without a session_id
  bool stream = false;        ///< the answer comes as chunks
  bool include_usage = false; ///< with stream: a last chunk tells the usage
};

/// Reads a body (platform.openai.com/docs/api-reference/chat/create). Members that are not about
/// the conversation (temperature, tool_choice, response_format, ...) go to the model as they are;
/// `maxToolRoundtrips` and `mcpServers` are ours. Refused, as errc::request_invalid with a text
/// that names the place: `n` above 1, `functions`, and parts that are neither text, image_url nor
/// file.
failure parse_completions_request(std::string_view body, completions_request& out);

/// Reads the body of a completion of a text (platform.openai.com/docs/api-reference/completions):
/// its `prompt`, a string or an array of one string, is the one message, of a user. Members go to
/// the model as above. Refused: `n` and `best_of` above 1, `suffix`, `logprobs`, `echo`, and what
/// belongs to chat completions, `messages` and `tools`.
failure parse_text_completion_request(std::string_view body, completions_request& out);

} // namespace troupe
