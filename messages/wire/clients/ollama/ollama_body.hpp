// The bodies that Ollama's clients post.
#pragma once

#include <string_view>

#include "messages/chat/turn_request.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// A chat or a prompt as it is asked for. The turn is ephemeral and holds the whole history.
struct ollama_body {
  turn_request turn;          ///< without a session_id
  bool stream = true;         ///< the answer comes as lines
  bool shows_thinking = true; ///< `think` was not false
  bool only_loads = false;    ///< nothing is asked: Ollama would load the model, and say so
};

/// Reads the body of POST /api/chat. `maxToolRoundtrips` and `mcpServers` are ours; members that
/// are not known mean nothing, as at Ollama. Refused, as errc::request_invalid with a text that
/// names the place: what cannot be read, and `logprobs`.
failure parse_ollama_chat(std::string_view body, ollama_body& out);

/// Reads the body of POST /api/generate: its `system` and its `prompt`, with `images`, become
/// messages. Refused beside: `suffix`, `raw`, `template` and `context`.
failure parse_ollama_prompt(std::string_view body, ollama_body& out);

/// Returns whether a body of POST /api/chat that the AI SDK's reader refused is one of Ollama's.
/// The form decides, see there. Any thread.
bool is_ollama_chat(std::string_view body);

} // namespace troupe
