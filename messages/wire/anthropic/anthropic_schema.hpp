// JSON Schemas in the narrow dialect of structured answers and strict tools.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns the schema as Anthropic takes it where answers have to match it: objects have no further
/// members, oneOf is anyOf, and bounds, patterns and unknown formats, which are refused, stand in
/// the description. The model still reads them; nothing checks them. Gives the same bytes for the
/// same schema.
/// @param schema JSON text; what is no object stays as it is. Any thread.
std::string anthropic_schema(std::string_view schema);

} // namespace troupe
