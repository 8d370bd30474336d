// The part of a tool's schema that Ollama shows to models.
#pragma once

#include <string_view>

#include "messages/json.hpp"

namespace troupe {

/// Appends a schema with what Ollama reads of it: type, description, enum, items, properties,
/// required, anyOf. What stands elsewhere is brought there where that can be: references within the
/// schema are followed, a type that may be null or another one becomes the first of its types,
/// const becomes an enum, oneOf an anyOf. Each schema within is an object: true and false are
/// refused. A schema that leads to itself ends with {"type":"object"}.
/// @param schema JSON text from for_each_usable_tool
void append_ollama_schema(json_buffer& out, std::string_view schema);

} // namespace troupe
