// Errors in the JSON of Google's APIs.
#pragma once

#include <string>

#include "apps/model/dialect/dialect.hpp"

namespace troupe::scripted {

/// Returns {"error":{"code","message","status","details"}}.
std::string gemini_error_json(const refusal& why);

/// dialect::refuse; the delay of a rate limit stands in RetryInfo, and in no header.
http_answer refuse_gemini(const refusal& why);

} // namespace troupe::scripted
