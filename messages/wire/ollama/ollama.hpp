// Ollama's own API, of its servers and of ollama.com.
#pragma once

#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// The row of providers() for POST {base_url}/api/chat.
extern const provider ollama;

} // namespace troupe
