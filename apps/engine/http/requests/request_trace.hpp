// The ids that tie a request to the logs and traces of other programs.
#pragma once

#include <string>

#include "apps/engine/access/known_fields.hpp"

namespace troupe {

/// Returns the x-request-id of a request if it has 1 to 128 visible ASCII characters, else a new
/// one.
std::string request_id_of(const known_fields& of);

/// Returns the traceparent of a request (W3C Trace Context), or "" without a valid one.
std::string traceparent_of(const known_fields& of);

} // namespace troupe
