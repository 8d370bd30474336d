// The form that an MCP server asks a person to fill in, field by field.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// One field, as the server's schema describes it.
struct form_field {
  std::string name;
  std::string title;
  std::string description;
  std::string type;                 ///< of JSON Schema; "" if it has none, or several
  std::string schema;               ///< JSON text
  std::string fallback;             ///< JSON text of the default; "" if there is none
  std::vector<std::string> choices; ///< with their titles: "r (Red)"; empty: any value
  bool required = false;
};

/// Returns the fields in the order of the schema's properties.
/// @param schema a slice of a json_source
std::vector<form_field> fields_of(std::string_view schema);

/// Returns the prompt for a value, several lines of terminal_text().
std::string prompt_of(const form_field& field);

/// What a person typed for a field.
struct typed_value {
  std::string json;  ///< "" leaves the field out
  std::string fault; ///< why it cannot be taken; "" if it can
};

/// Reads what was typed: texts as they are, yes and no, numbers and lists as JSON.
/// @param typed "" takes the default, or leaves the field out if it is not required
typed_value read_typed(const form_field& field, const std::string& typed);

} // namespace troupe
