// What Gemini takes of a schema in its own subset of JSON Schema: the first fault, or "".
#pragma once

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "messages/wire/json/json_tree.hpp"

namespace troupe::test {

inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

/// Returns the first member that no list has, or that is there twice; "" if there is none.
inline std::string member_fault(const json_node& object,
                                std::initializer_list<std::string_view> known) {
  std::set<std::string_view> seen;
  for (const auto& each : object.children) {
    if (!is_one_of(each.key, known))
      return fmt::format("Unknown name \"{}\"", each.key);
    if (!seen.insert(each.key).second)
      return fmt::format("\"{}\" is there twice", each.key);
  }
  return {};
}

inline std::string gemini_schema_fault(const json_node& schema, int depth = 0);

inline std::string gemini_object_fault(const json_node& schema, int depth) {
  const auto* properties = schema.find("properties");
  if (properties == nullptr)
    return schema.find("required") == nullptr ? "" : "required without properties";
  if (properties->kind != json_kind::object || properties->children.empty())
    return "properties is no object, or empty";
  for (const auto& each : properties->children)
    if (auto fault = gemini_schema_fault(each, depth + 1); !fault.empty())
      return each.key + ": " + fault;
  if (const auto* required = schema.find("required"))
    for (const auto& each : required->children)
      if (properties->find(each.text) == nullptr)
        return fmt::format("required: there is no property \"{}\"", each.text);
  return {};
}

inline std::string gemini_enum_fault(const json_node& schema) {
  const auto* values = schema.find("enum");
  if (values == nullptr)
    return {};
  if (schema.find("type")->text != "string" || values->children.empty())
    return "an enum that is empty, or of another type than string";
  for (const auto& each : values->children)
    if (each.kind != json_kind::string || each.text.empty())
      return "an enum with an empty value, or one that is no string";
  return {};
}

inline std::string gemini_format_fault(const json_node& schema, std::string_view type) {
  const auto* format = schema.find("format");
  if (format == nullptr)
    return {};
  const auto right = type == "string"    ? is_one_of(format->text, {"enum", "date-time"})
                     : type == "integer" ? is_one_of(format->text, {"int32", "int64"})
                     : type == "number"  ? is_one_of(format->text, {"float", "double"})
                                         : false;
  return right ? "" : fmt::format("the format {} of a {}", format->text, type);
}

inline std::string gemini_any_of_fault(const json_node& schema, const json_node& list, int depth) {
  if (schema.children.size() != 1)
    return "other members alongside anyOf";
  if (list.children.empty())
    return "anyOf is empty";
  for (const auto& each : list.children)
    if (auto fault = gemini_schema_fault(each, depth + 1); !fault.empty())
      return "anyOf: " + fault;
  return {};
}

/// Returns what Gemini refuses in the schema.
inline std::string gemini_schema_fault(const json_node& schema, int depth) {
  if (schema.kind != json_kind::object)
    return "a schema is no object";
  if (depth > 24)
    return "schema is too complex";
  auto fault = member_fault(schema, {"type",          "format",    "title",
                                     "description",   "nullable",  "enum",
                                     "items",         "minItems",  "maxItems",
                                     "properties",    "required",  "minProperties",
                                     "maxProperties", "minimum",   "maximum",
                                     "minLength",     "maxLength", "pattern",
                                     "example",       "anyOf",     "propertyOrdering",
                                     "default"});
  if (!fault.empty())
    return fault;
  if (const auto* list = schema.find("anyOf"))
    return gemini_any_of_fault(schema, *list, depth);
  const auto* type = schema.find("type");
  if (type == nullptr || type->kind != json_kind::string ||
      !is_one_of(type->text, {"string", "number", "integer", "boolean", "array", "object"}))
    return "type is missing, or no known one";
  if (auto other = gemini_enum_fault(schema); !other.empty())
    return other;
  if (auto other = gemini_format_fault(schema, type->text); !other.empty())
    return other;
  if (type->text == "object")
    return gemini_object_fault(schema, depth);
  const auto* items = schema.find("items");
  if (type->text == "array")
    return items == nullptr ? "items: missing field" : gemini_schema_fault(*items, depth + 1);
  return items == nullptr ? "" : "items of a " + type->text;
}

} // namespace troupe::test
