#include "apps/model/chat/chat_tools_check.hpp"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "apps/model/dialect/request_fields.hpp"
#include "apps/model/dialect/schema_check.hpp"

namespace troupe::scripted {

namespace {

failure chat_tool_fault(element each, size_t index, std::vector<std::string_view>& names) {
  object fields;
  object function;
  std::string_view name;
  if (each.get(fields) != simdjson::SUCCESS || string_in(fields, "type") != "function" ||
      fields["function"].get(function) != simdjson::SUCCESS)
    return invalid_request(fmt::format("tools[{}] must be of type 'function'", index));
  if (!get_string(function, "name", name) || !fits_name(name))
    return invalid_request(
        fmt::format("tools[{}].function.name must be 1 to 64 of [A-Za-z0-9_-]", index));
  names.push_back(name);
  element schema;
  if (function["parameters"].get(schema) != simdjson::SUCCESS)
    return {};
  if (!schema.is_object())
    return invalid_request(fmt::format("tools[{}].function.parameters must be an object", index));
  if (const auto fault = schema_fault(schema, true); !fault.empty())
    return invalid_request(
        fmt::format("tools[{}]: invalid schema for function '{}': {}", index, name, fault));
  return {};
}

} // namespace

failure check_chat_tools(array tools) {
  std::vector<std::string_view> names;
  size_t index = 0;
  for (element each : tools)
    if (auto bad = chat_tool_fault(each, index++, names))
      return bad;
  if (names.empty())
    return invalid_request("tools must not be empty");
  if (const auto twice = repeated_name(std::move(names)); !twice.empty())
    return invalid_request(fmt::format("tools: the name '{}' is used twice", twice));
  return {};
}

} // namespace troupe::scripted
