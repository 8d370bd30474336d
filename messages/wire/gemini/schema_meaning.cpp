#include "messages/wire/gemini/schema_meaning.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "messages/wire/json/schema_types.hpp"

namespace troupe {

namespace {

/// Returns the type of a value as schemas name it.
std::string_view type_of_value(const json_node& value) {
  switch (value.kind) {
  case json_kind::number:
    return value.text.find_first_of(".eE") == std::string::npos ? "integer" : "number";
  case json_kind::boolean:
    return "boolean";
  case json_kind::object:
    return "object";
  case json_kind::array:
    return "array";
  case json_kind::null:
    return "null";
  default:
    return "string";
  }
}

void add_type(schema_meaning& into, const std::string& written) {
  const auto type = schema_type(written);
  if (type == "null")
    into.is_nullable = true;
  else if (!type.empty() && std::ranges::find(into.types, type) == into.types.end())
    into.types.push_back(type);
}

} // namespace

std::string_view schema_meaning::likely_type() const {
  if (!values.empty())
    return type_of_value(values.front());
  if (!words.properties.empty() || words.find("additionalProperties") != nullptr)
    return "object";
  return words.find("items") != nullptr || words.find("prefixItems") != nullptr ? "array"
                                                                                : "string";
}

schema_meaning schema_meaning_of(schema_words words) {
  schema_meaning made;
  made.words = std::move(words);
  if (const auto* type = made.words.find("type")) {
    add_type(made, type->text);
    for (const auto& each : type->children)
      add_type(made, each.text);
  }
  const auto* values = made.words.find("enum");
  if (values != nullptr)
    made.values = values->children;
  else if (const auto* only = made.words.find("const"))
    made.values.push_back(*only);
  const auto nulls =
      std::erase_if(made.values, [](const auto& each) { return each.kind == json_kind::null; });
  made.is_nullable = made.is_nullable || nulls > 0;
  return made;
}

} // namespace troupe
