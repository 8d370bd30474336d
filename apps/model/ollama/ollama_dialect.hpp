// Ollama's own API, as the scripted model speaks it.
#pragma once

#include "apps/model/dialect/dialect.hpp"

namespace troupe::scripted {

/// POST /api/chat.
extern const dialect ollama_dialect;

} // namespace troupe::scripted
