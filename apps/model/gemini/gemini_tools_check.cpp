#include "apps/model/gemini/gemini_tools_check.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/model/dialect/request_fields.hpp"
#include "apps/model/dialect/schema_check.hpp"
#include "apps/model/gemini/gemini_contents_check.hpp"

namespace troupe::scripted {

namespace {

failure check_openapi(element schema, const std::string& place);

failure check_inner(object schema, const std::string& place) {
  element found;
  object properties;
  array list;
  if (find(schema, "items", found))
    if (auto bad = check_openapi(found, place + ".items"))
      return bad;
  if (find(schema, "properties", found) && found.get(properties) == simdjson::SUCCESS)
    for (auto [key, value] : properties)
      if (auto bad = check_openapi(value, fmt::format("{}.properties.{}", place, key)))
        return bad;
  if (find(schema, "anyOf", found) && found.get(list) == simdjson::SUCCESS)
    for (element each : list)
      if (auto bad = check_openapi(each, place + ".any_of"))
        return bad;
  return {};
}

/// Everything else than these is an error in `parameters`.
failure check_openapi(element schema, const std::string& place) {
  object fields;
  element found;
  if (schema.get(fields) != simdjson::SUCCESS)
    return invalid_request(fmt::format("Invalid value at '{}'", place));
  if (auto bad = unknown_name(unknown_key(fields, {"type",          "format",    "title",
                                                   "description",   "nullable",  "enum",
                                                   "items",         "minItems",  "maxItems",
                                                   "properties",    "required",  "minProperties",
                                                   "maxProperties", "minimum",   "maximum",
                                                   "minLength",     "maxLength", "pattern",
                                                   "example",       "anyOf",     "propertyOrdering",
                                                   "default"}),
                              place))
    return bad;
  if (find(fields, "type", found) && !found.is_string())
    return invalid_request(
        fmt::format("Proto field is not repeating, cannot start list: {}.type", place));
  if (is_one_of(string_in(fields, "type"), {"array", "ARRAY"}) && !find(fields, "items", found))
    return invalid_request(place + ".items: missing field.");
  return check_inner(fields, place);
}

failure check_declaration(element what, const std::string& place,
                          std::vector<std::string_view>& names) {
  object fields;
  element parameters;
  element schema;
  if (what.get(fields) != simdjson::SUCCESS)
    return invalid_request(fmt::format("Invalid value at '{}'", place));
  if (auto bad = unknown_name(
          unknown_key(fields, {"name", "description", "parameters", "parametersJsonSchema",
                               "response", "responseJsonSchema", "behavior"}),
          place))
    return bad;
  names.push_back(string_in(fields, "name"));
  if (!fits_gemini_name(names.back()))
    return invalid_request(place + ".name: Invalid function name. Must start with a letter or an "
                                   "underscore.");
  const bool is_plain = find(fields, "parameters", parameters);
  if (is_plain && find(fields, "parametersJsonSchema", schema))
    return invalid_request(place + ": parameters and parametersJsonSchema are mutually exclusive");
  return is_plain ? check_openapi(parameters, place + ".parameters") : failure{};
}

} // namespace

failure check_gemini_tools(element tools) {
  array list;
  if (tools.get(list) != simdjson::SUCCESS)
    return invalid_request("Invalid value at 'tools'");
  std::vector<std::string_view> names;
  for (element each : list) {
    object fields;
    array declarations;
    if (each.get(fields) != simdjson::SUCCESS ||
        fields["functionDeclarations"].get(declarations) != simdjson::SUCCESS ||
        declarations.size() == 0)
      return invalid_request("tools: function_declarations must not be empty");
    for (element declared : declarations)
      if (auto bad = check_declaration(
              declared, fmt::format("tools.function_declarations[{}]", names.size()), names))
        return bad;
  }
  const auto twice = repeated_name(std::move(names));
  return twice.empty()
             ? failure{}
             : invalid_request(fmt::format("Duplicate function declaration found: {}", twice));
}

} // namespace troupe::scripted
