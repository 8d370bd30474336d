#include "apps/model/dialect/schema_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "apps/model/dialect/request_fields.hpp"

namespace troupe::scripted {

namespace {

/// Checks one schema and those within; returns the first fault with its place, or "".
class schema_walk {
public:
  explicit schema_walk(object root) : root_{root} {}

  std::string top(bool needs_properties) const;
  std::string schema(element what, const std::string& place) const;

private:
  std::string member(std::string_view key, element value, const std::string& place) const;
  std::string type(element value, const std::string& place) const;
  std::string list(element value, const std::string& place) const;
  std::string map(element value, const std::string& place) const;
  bool leads_somewhere(std::string_view reference) const;

  object root_;
};

std::string schema_walk::top(bool needs_properties) const {
  std::string_view type;
  element found;
  if (root_["type"].get(type) != simdjson::SUCCESS || type != "object")
    return "schema must be of type \"object\"";
  if (needs_properties && root_["properties"].get(found) != simdjson::SUCCESS)
    return "object schema missing properties";
  for (const char* each : {"anyOf", "oneOf", "allOf", "enum", "not"})
    if (root_[each].get(found) == simdjson::SUCCESS)
      return fmt::format("schema must not have '{}' at the top level", each);
  return {};
}

std::string schema_walk::schema(element what, const std::string& place) const {
  object members;
  if (what.is_bool())
    return {};
  if (what.get(members) != simdjson::SUCCESS)
    return place + " is not of type 'object', 'boolean'";
  bool is_array = false;
  bool has_items = false;
  for (auto [key, value] : members) {
    std::string_view type;
    is_array =
        is_array || (key == "type" && value.get(type) == simdjson::SUCCESS && type == "array");
    has_items = has_items || key == "items";
    if (auto fault = member(key, value, fmt::format("{}.{}", place, key)); !fault.empty())
      return fault;
  }
  return is_array && !has_items ? place + ": array schema missing items" : std::string{};
}

std::string schema_walk::member(std::string_view key, element value,
                                const std::string& place) const {
  std::string_view text;
  if (is_one_of(key, {"items", "additionalProperties", "not", "if", "then", "else", "contains",
                      "propertyNames", "unevaluatedItems", "unevaluatedProperties"}))
    return schema(value, place);
  if (is_one_of(key, {"anyOf", "oneOf", "allOf", "prefixItems"}))
    return list(value, place);
  if (is_one_of(key,
                {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}))
    return map(value, place);
  if (key == "type")
    return type(value, place);
  if (is_one_of(key, {"required", "enum", "examples"}) && !value.is_array())
    return place + " is not of type 'array'";
  if (is_one_of(key, {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength",
                      "maxLength", "minItems", "maxItems", "multipleOf"}) &&
      !value.is_number())
    return place + " is not of type 'number'";
  if (is_one_of(key, {"$ref", "description", "title", "pattern", "format"}) &&
      value.get(text) != simdjson::SUCCESS)
    return place + " is not of type 'string'";
  if (key == "$ref" && !leads_somewhere(text))
    return place + " leads nowhere";
  return {};
}

std::string schema_walk::type(element value, const std::string& place) const {
  auto known = [](element name) {
    std::string_view text;
    return name.get(text) == simdjson::SUCCESS &&
           is_one_of(text, {"array", "boolean", "integer", "null", "number", "object", "string"});
  };
  array names;
  if (value.get(names) != simdjson::SUCCESS)
    return known(value) ? std::string{} : place + " is no type";
  for (element each : names)
    if (!known(each))
      return place + " has something that is no type";
  return names.size() > 0 ? std::string{} : place + " is too short";
}

std::string schema_walk::list(element value, const std::string& place) const {
  array schemas;
  if (value.get(schemas) != simdjson::SUCCESS || schemas.size() == 0)
    return place + " must be an array that is not empty";
  for (element each : schemas)
    if (auto fault = schema(each, place + "[]"); !fault.empty())
      return fault;
  return {};
}

std::string schema_walk::map(element value, const std::string& place) const {
  object schemas;
  if (value.get(schemas) != simdjson::SUCCESS)
    return place + " is not of type 'object'";
  for (auto [key, each] : schemas)
    if (auto fault = schema(each, fmt::format("{}.{}", place, key)); !fault.empty())
      return fault;
  return {};
}

bool schema_walk::leads_somewhere(std::string_view reference) const {
  return !reference.starts_with("#/") ||
         root_.at_pointer(reference.substr(1)).error() == simdjson::SUCCESS;
}

} // namespace

std::string schema_fault(element schema, bool needs_properties) {
  object root;
  if (schema.get(root) != simdjson::SUCCESS)
    return "schema must be an object";
  const schema_walk walk{root};
  auto fault = walk.top(needs_properties);
  return fault.empty() ? walk.schema(schema, "parameters") : fault;
}

std::string repeated_name(std::vector<std::string_view> names) {
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  return twice == names.end() ? std::string{} : std::string{*twice};
}

} // namespace troupe::scripted
