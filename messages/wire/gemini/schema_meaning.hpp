// What one JSON Schema says of a value, put in order.
#pragma once

#include <string_view>
#include <vector>

#include "messages/wire/gemini/schema_words.hpp"
#include "messages/wire/json/json_tree.hpp"

namespace troupe {

/// The keywords of a schema, and what they say of types and values; null is kept apart.
struct schema_meaning {
  schema_words words;
  std::vector<std::string_view> types; ///< without null
  std::vector<json_node> values;       ///< of enum or const, without null
  bool is_nullable = false;

  /// Returns the type of a schema that names none; what may be anything is a string.
  std::string_view likely_type() const;
};

/// Reads the keywords.
schema_meaning schema_meaning_of(schema_words words);

} // namespace troupe
