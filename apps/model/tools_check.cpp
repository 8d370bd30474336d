#include "apps/model/tools_check.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "apps/model/history_check.hpp"

namespace troupe::scripted {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// Checks one schema and those within; returns the first fault with its place, or "".
class schema_walk {
public:
  explicit schema_walk(object root) : root_{root} {}

  std::string top() const;
  std::string schema(element what, const std::string& place) const;

private:
  std::string member(std::string_view key, element value, const std::string& place) const;
  std::string type(element value, const std::string& place) const;
  std::string list(element value, const std::string& place) const;
  std::string map(element value, const std::string& place) const;
  bool leads_somewhere(std::string_view reference) const;

  object root_;
};

std::string schema_walk::top() const {
  std::string_view type;
  element found;
  if (root_["type"].get(type) != simdjson::SUCCESS || type != "object")
    return "schema must be of type \"object\"";
  if (root_["properties"].get(found) != simdjson::SUCCESS)
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

failure tool_fault(element each, size_t index, std::vector<std::string_view>& names) {
  object fields;
  object function;
  std::string_view text;
  if (each.get(fields) != simdjson::SUCCESS || fields["type"].get(text) != simdjson::SUCCESS ||
      text != "function" || fields["function"].get(function) != simdjson::SUCCESS)
    return invalid_request(fmt::format("tools[{}] must be of type 'function'", index));
  if (function["name"].get(text) != simdjson::SUCCESS || !fits_name(text))
    return invalid_request(
        fmt::format("tools[{}].function.name must be 1 to 64 of [A-Za-z0-9_-]", index));
  names.push_back(text);
  element schema;
  if (function["parameters"].get(schema) != simdjson::SUCCESS)
    return {};
  object root;
  if (schema.get(root) != simdjson::SUCCESS)
    return invalid_request(fmt::format("tools[{}].function.parameters must be an object", index));
  const schema_walk walk{root};
  auto fault = walk.top();
  if (fault.empty())
    fault = walk.schema(schema, "parameters");
  if (fault.empty())
    return {};
  return invalid_request(
      fmt::format("tools[{}]: invalid schema for function '{}': {}", index, text, fault));
}

} // namespace

failure check_tools(array tools) {
  std::vector<std::string_view> names;
  size_t index = 0;
  for (element each : tools)
    if (auto bad = tool_fault(each, index++, names))
      return bad;
  if (names.empty())
    return invalid_request("tools must not be empty");
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    return invalid_request(fmt::format("tools: the name '{}' is used twice", *twice));
  return {};
}

} // namespace troupe::scripted
