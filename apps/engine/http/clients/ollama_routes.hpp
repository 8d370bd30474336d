// The side of the HTTP interface for Ollama's clients.
#pragma once

#include "apps/engine/http/requests/http_route.hpp"

namespace troupe {

/// Answers a chat of Ollama's. The row of POST /api/chat is turn_routes', which calls this for
/// bodies of this kind (is_ollama_chat).
void post_ollama_chat(http_call& in);

} // namespace troupe
