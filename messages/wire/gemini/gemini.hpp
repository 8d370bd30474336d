// Google's Gemini: its own API, and the same at Vertex AI.
#pragma once

#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// The row of providers() for POST {base_url}/models/NAME:streamGenerateContent and
/// :generateContent.
extern const provider gemini;

} // namespace troupe
