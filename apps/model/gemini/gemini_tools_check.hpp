// The rules that Gemini holds the functions of a request to.
#pragma once

#include <simdjson.h>

#include "messages/errors.hpp"

namespace troupe::scripted {

/// Checks `tools`: lists of declarations that are not empty, each with `parameters`, in the subset
/// of OpenAPI that there is, or with `parametersJsonSchema`. Any thread.
failure check_gemini_tools(simdjson::dom::element tools);

} // namespace troupe::scripted
