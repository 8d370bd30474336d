// Google's generateContent, as the scripted model speaks it.
#pragma once

#include "apps/model/dialect/dialect.hpp"

namespace troupe::scripted {

/// POST /v1beta/models/NAME:generateContent and :streamGenerateContent; the path says which model,
/// and whether it streams.
extern const dialect gemini_dialect;

} // namespace troupe::scripted
