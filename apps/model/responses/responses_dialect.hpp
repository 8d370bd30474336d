// OpenAI's responses, as the scripted model speaks them.
#pragma once

#include "apps/model/dialect/dialect.hpp"

namespace troupe::scripted {

/// POST /v1/responses.
extern const dialect responses_dialect;

} // namespace troupe::scripted
