// OpenAI's chat completions, which most other providers and local servers speak as well.
#pragma once

#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// The row of providers() for POST {base_url}/chat/completions.
extern const provider openai_chat;

} // namespace troupe
