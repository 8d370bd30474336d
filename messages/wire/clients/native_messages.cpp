#include "messages/wire/clients/native_messages.hpp"

#include <optional>

#include <fmt/format.h>

#include "messages/wire/clients/content_parts.hpp"
#include "messages/wire/clients/message_list.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/tool_call_id.hpp"

namespace troupe {

namespace {

/// Returns the JSON text of an object that is given as such or inside a string, else "".
std::string object_text(std::string_view slice) {
  if (kind_of(slice) == json_kind::object)
    return std::string{slice};
  json_source inside{json_string(slice)};
  return kind_of(inside.root()) == json_kind::object ? std::string{inside.root()} : std::string{};
}

failure read_call(std::string_view text, const std::string& place, tool_call& out) {
  std::string_view id, name, arguments, type, function;
  if (kind_of(text) != json_kind::object)
    return invalid_request(place + " must be an object");
  if (auto key = read_only_members(text, {{"id", &id},
                                          {"name", &name},
                                          {"arguments", &arguments},
                                          {"type", &type},
                                          {"function", &function}}))
    return unknown_key(place, *key);
  if (auto key = read_only_members(function, {{"name", &name}, {"arguments", &arguments}}))
    return unknown_key(place + ".function", *key);
  if (!is_call_id(json_string(id)))
    return invalid_request(fmt::format("{}.id {}", place, call_id_rule));
  if (!is_id(name))
    return invalid_request(place + " must have a name of 1 to 256 bytes");
  out = {json_string(id), json_string(name), object_text(arguments)};
  if (out.arguments.empty())
    return invalid_request(place + " must have arguments that are a JSON object");
  return {};
}

failure read_calls(std::string_view calls, const std::string& place, std::vector<tool_call>& out) {
  if (is_nothing(calls))
    return {};
  if (kind_of(calls) != json_kind::array)
    return invalid_request(place + " must be an array");
  failure bad;
  for_each_element(calls, [&](std::string_view text) {
    tool_call call;
    bad = out.size() == max_message_calls
              ? invalid_request(place + " must not be more than 1024")
              : read_call(text, fmt::format("{}[{}]", place, out.size()), call);
    out.push_back(std::move(call));
    return !bad;
  });
  return bad;
}

failure read_message(std::string_view text, const std::string& place, chat_message& out) {
  std::string_view who, content, reasoning, calls, call_id;
  if (kind_of(text) != json_kind::object)
    return invalid_request(place + " must be an object");
  if (auto key = read_only_members(text, {{"role", &who},
                                          {"content", &content},
                                          {"reasoning", &reasoning},
                                          {"tool_calls", &calls},
                                          {"tool_call_id", &call_id}}))
    return unknown_key(place, *key);
  auto known = named_role(who);
  if (!known)
    return invalid_request(place + ".role must be \"system\", \"user\", \"assistant\" or \"tool\"");
  out.who = *known;
  if (auto bad = read_calls(calls, place + ".tool_calls", out.tool_calls))
    return bad;
  if (!out.tool_calls.empty() && out.who != role::assistant)
    return invalid_request(place + ".tool_calls is for assistants");
  auto may_lack_content = !out.tool_calls.empty() && is_nothing(content);
  const auto has_parts = kind_of(content) == json_kind::array && out.who == role::user;
  if (kind_of(content) != json_kind::string && !has_parts && !may_lack_content)
    return invalid_request(place + ".content must be a string, or a user's an array of parts");
  if (!is_nothing(reasoning) && kind_of(reasoning) != json_kind::string)
    return invalid_request(place + ".reasoning must be a string");
  if (out.who == role::tool && !is_call_id(json_string(call_id)))
    return invalid_request(fmt::format("{}.tool_call_id {}", place, call_id_rule));
  if (out.who != role::tool && !is_nothing(call_id))
    return invalid_request(place + ".tool_call_id is for tools");
  out.text = json_string(content);
  if (has_parts)
    if (auto bad = read_content_parts(content, place + ".content", out))
      return bad;
  out.reasoning = json_string(reasoning);
  out.tool_call_id = json_string(call_id);
  return {};
}

} // namespace

failure read_native_messages(std::string_view array, std::vector<chat_message>& out) {
  return read_message_list(array, out, read_message);
}

} // namespace troupe
