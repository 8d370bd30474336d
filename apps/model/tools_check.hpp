// The rules that providers hold tools and their schemas to.
#pragma once

#include <simdjson.h>

#include "messages/errors.hpp"

namespace troupe::scripted {

/// Checks `tools` of a request: not empty, every one is a function with a name of 1 to 64
/// characters of [A-Za-z0-9_-], no name twice; each schema is of type "object" and has
/// `properties`, without anyOf, oneOf, allOf, enum or not at its top; at every depth keywords have
/// values of their kinds, arrays have items, and references within the schema lead somewhere. Fails
/// with errc::request_invalid, naming the tool. Any thread.
failure check_tools(simdjson::dom::array tools);

} // namespace troupe::scripted
