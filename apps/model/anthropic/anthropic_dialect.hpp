// Anthropic's messages, as the scripted model speaks them.
#pragma once

#include "apps/model/dialect/dialect.hpp"

namespace troupe::scripted {

/// POST /v1/messages.
extern const dialect anthropic_dialect;

} // namespace troupe::scripted
