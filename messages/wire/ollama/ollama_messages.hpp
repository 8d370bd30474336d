// A history as the `messages` of a request to Ollama.
#pragma once

#include "messages/json.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// Appends the list. The same history gives the same bytes, so that prompt caches work. Texts are
/// one string each, and images stand beside them, as base64 without a type: an image that lies
/// somewhere else becomes a note, since Ollama fetches none.
void append_ollama_messages(json_buffer& out, const model_request& asked);

} // namespace troupe
