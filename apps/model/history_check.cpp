#include "apps/model/history_check.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace troupe::scripted {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

bool get_string(object in, std::string_view key, std::string_view& out) {
  return in[key].get(out) == simdjson::SUCCESS;
}

/// The walk over one history; the views point into the parsed request.
struct history_walk {
  size_t index = 0;
  std::vector<std::string_view> open_calls; // asked for, not yet answered

  failure message(object what);
  failure content(object what, bool may_be_absent) const;
  failure assistant(object what);
  failure tool(object what);
  failure call(object what, size_t position);
  failure settled() const;
};

failure history_walk::content(object what, bool may_be_absent) const {
  element value;
  if (what["content"].get(value) != simdjson::SUCCESS || value.is_null()) {
    if (may_be_absent)
      return {};
    return invalid_request(fmt::format("messages[{}].content is missing", index));
  }
  if (value.is_string())
    return {};
  array parts;
  if (value.get(parts) != simdjson::SUCCESS)
    return invalid_request(fmt::format("messages[{}].content must be a string or an array", index));
  for (element part : parts) {
    object fields;
    std::string_view type;
    if (part.get(fields) != simdjson::SUCCESS || !get_string(fields, "type", type))
      return invalid_request(fmt::format("messages[{}].content has a part without a type", index));
  }
  return {};
}

failure history_walk::call(object what, size_t position) {
  const auto where = fmt::format("messages[{}].tool_calls[{}]", index, position);
  std::string_view id;
  if (!get_string(what, "id", id) || id.empty())
    return invalid_request(where + ".id is missing");
  std::string_view type;
  if (!get_string(what, "type", type) || type != "function")
    return invalid_request(where + ".type must be 'function'");
  object function;
  std::string_view text;
  if (what["function"].get(function) != simdjson::SUCCESS || !get_string(function, "name", text) ||
      text.empty())
    return invalid_request(where + ".function.name is missing");
  if (!get_string(function, "arguments", text))
    return invalid_request(where + ".function.arguments must be a string");
  if (std::find(open_calls.begin(), open_calls.end(), id) != open_calls.end())
    return invalid_request(where + ".id is used twice");
  open_calls.push_back(id);
  return {};
}

failure history_walk::assistant(object what) {
  element calls;
  const bool calls_tools = what["tool_calls"].get(calls) == simdjson::SUCCESS && !calls.is_null();
  if (auto bad = content(what, calls_tools))
    return bad;
  if (!calls_tools)
    return {};
  array list;
  if (calls.get(list) != simdjson::SUCCESS || list.size() == 0)
    return invalid_request(
        fmt::format("messages[{}].tool_calls must be an array, not empty", index));
  size_t position = 0;
  for (element each : list) {
    object fields;
    if (each.get(fields) != simdjson::SUCCESS)
      return invalid_request(fmt::format("messages[{}].tool_calls holds something else", index));
    if (auto bad = call(fields, position++))
      return bad;
  }
  return {};
}

failure history_walk::tool(object what) {
  std::string_view id;
  if (!get_string(what, "tool_call_id", id))
    return invalid_request(fmt::format("messages[{}].tool_call_id is missing", index));
  const auto asked = std::find(open_calls.begin(), open_calls.end(), id);
  if (asked == open_calls.end())
    return invalid_request(
        fmt::format("messages[{}].tool_call_id '{}' answers no open call: a tool "
                    "message must follow the assistant's tool_calls",
                    index, id));
  open_calls.erase(asked);
  return content(what, false);
}

failure history_walk::settled() const {
  if (open_calls.empty())
    return {};
  return invalid_request(
      fmt::format("messages[{}]: the tool call '{}' before it has no tool message that "
                  "answers it",
                  index, open_calls.front()));
}

failure history_walk::message(object what) {
  std::string_view who;
  if (!get_string(what, "role", who))
    return invalid_request(fmt::format("messages[{}].role is missing", index));
  if (who == "tool")
    return tool(what);
  if (auto bad = settled())
    return bad;
  if (who == "assistant")
    return assistant(what);
  if (who == "user" || who == "system" || who == "developer")
    return content(what, false);
  return invalid_request(fmt::format("messages[{}].role '{}' is unknown", index, who));
}

bool fits_name(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), fits);
}

} // namespace

failure invalid_request(std::string text) {
  return {errc::request_invalid, std::move(text)};
}

failure check_history(array messages) {
  history_walk walk;
  for (element each : messages) {
    object fields;
    if (each.get(fields) != simdjson::SUCCESS)
      return invalid_request(fmt::format("messages[{}] must be an object", walk.index));
    if (auto bad = walk.message(fields))
      return bad;
    ++walk.index;
  }
  if (walk.index == 0)
    return invalid_request("messages must not be empty");
  return walk.settled();
}

failure check_tools(array tools) {
  std::vector<std::string_view> names;
  size_t index = 0;
  for (element each : tools) {
    object fields;
    object function;
    std::string_view text;
    if (each.get(fields) != simdjson::SUCCESS || !get_string(fields, "type", text) ||
        text != "function" || fields["function"].get(function) != simdjson::SUCCESS)
      return invalid_request(fmt::format("tools[{}] must be of type 'function'", index));
    if (!get_string(function, "name", text) || !fits_name(text))
      return invalid_request(
          fmt::format("tools[{}].function.name must be 1 to 64 of [A-Za-z0-9_-]", index));
    element schema;
    if (function["parameters"].get(schema) == simdjson::SUCCESS && !schema.is_object())
      return invalid_request(fmt::format("tools[{}].function.parameters must be an object", index));
    names.push_back(text);
    ++index;
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    return invalid_request(fmt::format("tools: the name '{}' is used twice", *twice));
  return {};
}

} // namespace troupe::scripted
