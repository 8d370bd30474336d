// The names of types in JSON Schema.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns the type that a schema means by `name`, which may be in capitals or the name of a type
/// in a language ("INTEGER", "int"); "" if there is no such type.
std::string_view schema_type(std::string name);

} // namespace troupe
