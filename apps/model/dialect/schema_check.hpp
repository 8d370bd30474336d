// The rules that providers hold the schemas of tools to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

namespace troupe::scripted {

/// Returns the first fault of a tool's schema with its place, or "". It is of type "object",
/// without anyOf, oneOf, allOf, enum or not at its top; at every depth keywords have values of
/// their kinds, arrays have items, and references within the schema lead somewhere. Any thread.
/// @param needs_properties `properties` has to be there
std::string schema_fault(simdjson::dom::element schema, bool needs_properties);

/// Returns a name that is there twice; "" if there is none.
std::string repeated_name(std::vector<std::string_view> names);

} // namespace troupe::scripted
