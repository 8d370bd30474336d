// OpenAI's chat completions, as the scripted model speaks them.
#pragma once

#include "apps/model/dialect/dialect.hpp"

namespace troupe::scripted {

/// POST /v1/chat/completions.
extern const dialect chat_dialect;

} // namespace troupe::scripted
