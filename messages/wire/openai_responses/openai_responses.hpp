// OpenAI's Responses API, which Azure, DeepSeek, xAI, LM Studio and others speak as well.
#pragma once

#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// The row of providers() for POST {base_url}/responses.
extern const provider openai_responses;

} // namespace troupe
