#include "apps/model/script/schema_sample.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "messages/json_object.hpp"

namespace troupe::scripted {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr int deepest_schema = 8;
constexpr uint64_t most_items = 16;
constexpr size_t enough_bytes = 16 * 1024; ///< of an array: arrays in arrays multiply

std::string sample_at(element schema, int depth);

/// Returns the schema's type, the first one that is not null where it lists several.
std::string_view type_of(object schema) {
  std::string_view type;
  if (schema["type"].get(type) == simdjson::SUCCESS)
    return type;
  array several;
  if (schema["type"].get(several) == simdjson::SUCCESS)
    for (element each : several)
      if (each.get(type) == simdjson::SUCCESS && type != "null")
        return type;
  return {};
}

/// Returns a value that the schema spells out itself, "" if it spells out none.
std::string spelled_out(object schema) {
  element value;
  for (const char* key : {"const", "default"})
    if (schema[key].get(value) == simdjson::SUCCESS)
      return simdjson::minify(value);
  array several;
  for (const char* key : {"enum", "examples"})
    if (schema[key].get(several) == simdjson::SUCCESS && several.size() > 0)
      return simdjson::minify(several.at(0).value_unsafe());
  return {};
}

/// Returns the first alternative of anyOf or oneOf, or the schema itself.
element first_alternative(element schema) {
  object fields;
  array several;
  if (schema.get(fields) == simdjson::SUCCESS)
    for (const char* key : {"anyOf", "oneOf"})
      if (fields[key].get(several) == simdjson::SUCCESS && several.size() > 0)
        return several.at(0).value_unsafe();
  return schema;
}

bool is_required(object schema, std::string_view name) {
  array required;
  if (schema["required"].get(required) != simdjson::SUCCESS)
    return false;
  return std::any_of(required.begin(), required.end(), [&](element each) {
    std::string_view text;
    return each.get(text) == simdjson::SUCCESS && text == name;
  });
}

std::string sample_object(object schema, int depth) {
  return json_text([&](json_object& out) {
    object properties;
    if (schema["properties"].get(properties) == simdjson::SUCCESS)
      for (auto [name, value] : properties)
        if (is_required(schema, name))
          out.raw(name, sample_at(value, depth + 1));
  });
}

std::string sample_array(object schema, int depth) {
  uint64_t items = 0;
  element each;
  if (schema["minItems"].get(items) != simdjson::SUCCESS || items == 0 ||
      schema["items"].get(each) != simdjson::SUCCESS)
    return "[]";
  const auto one = sample_at(each, depth + 1);
  std::string all = "[" + one;
  for (uint64_t i = 1; i < std::min(items, most_items) && all.size() < enough_bytes; ++i)
    all += "," + one;
  return all + "]";
}

std::string sample_number(object schema) {
  element least;
  double minimum = 0;
  if (schema["minimum"].get(least) == simdjson::SUCCESS &&
      least.get(minimum) == simdjson::SUCCESS && minimum > 1)
    return simdjson::minify(least);
  return "1";
}

std::string sample_at(element schema, int depth) {
  object fields;
  if (depth > deepest_schema || first_alternative(schema).get(fields) != simdjson::SUCCESS)
    return R"("troupe")";
  if (auto given = spelled_out(fields); !given.empty())
    return given;
  const auto type = type_of(fields);
  if (type == "number" || type == "integer")
    return sample_number(fields);
  if (type == "boolean")
    return "true";
  if (type == "array")
    return sample_array(fields, depth);
  if (type == "object")
    return sample_object(fields, depth);
  if (type == "null")
    return "null";
  return R"("troupe")";
}

} // namespace

std::string sample_of(element schema) {
  return sample_at(schema, 0);
}

std::vector<tool_parameter> parameters_of(element schema) {
  std::vector<tool_parameter> out;
  object fields;
  object properties;
  if (schema.get(fields) != simdjson::SUCCESS ||
      fields["properties"].get(properties) != simdjson::SUCCESS)
    return out;
  for (auto [name, value] : properties) {
    object property;
    std::string_view type;
    if (first_alternative(value).get(property) == simdjson::SUCCESS)
      type = type_of(property);
    out.push_back(
        {std::string{name}, std::string{type}, is_required(fields, name), sample_of(value)});
  }
  return out;
}

} // namespace troupe::scripted
