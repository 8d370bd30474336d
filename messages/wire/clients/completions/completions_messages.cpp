#include "messages/wire/clients/completions/completions_messages.hpp"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "messages/wire/clients/content_parts.hpp"
#include "messages/wire/clients/message_list.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

std::optional<role> role_of(std::string_view slice) {
  return json_string(slice) == "developer" ? role::system : named_role(slice);
}

failure read_content(std::string_view content, const std::string& place, chat_message& out) {
  if (kind_of(content) == json_kind::string) {
    out.text = json_string(content);
    return {};
  }
  if (is_nothing(content) && out.who == role::assistant)
    return {};
  if (kind_of(content) != json_kind::array)
    return invalid_request(place + " must be a string or an array of parts");
  return read_content_parts(content, place, out);
}

failure read_call(std::string_view call, const std::string& place, chat_message& out) {
  std::string_view id, function, name, arguments, extra;
  if (kind_of(call) != json_kind::object)
    return invalid_request(place + " must be an object");
  read_members(call, {{"id", &id}, {"function", &function}, {"extra_content", &extra}});
  if (kind_of(function) == json_kind::object)
    read_members(function, {{"name", &name}, {"arguments", &arguments}});
  tool_call made{json_string(id), json_string(name), json_string(arguments)};
  if (made.id.empty() || made.name.empty())
    return invalid_request(place + " must have an id and function.name");
  if (kind_of(extra) == json_kind::object)
    made.provider_metadata = std::string{extra};
  if (!is_json_object(made.arguments))
    made.arguments = "{}"; // the model wrote invalid arguments; the call's result tells it
  out.tool_calls.push_back(std::move(made));
  return {};
}

failure read_calls(std::string_view calls, const std::string& place, chat_message& out) {
  if (is_nothing(calls))
    return {};
  if (kind_of(calls) != json_kind::array || out.who != role::assistant)
    return invalid_request(place + " must be an array, and is for assistants");
  failure bad;
  for_each_element(calls, [&](std::string_view call) {
    auto count = out.tool_calls.size();
    bad = count == max_message_calls ? invalid_request(place + " must not be more than 1024")
                                     : read_call(call, fmt::format("{}[{}]", place, count), out);
    return !bad;
  });
  return bad;
}

failure read_message(std::string_view text, const std::string& place, chat_message& out) {
  std::string_view who, content, refusal, reasoning, calls, call_id;
  if (kind_of(text) != json_kind::object)
    return invalid_request(place + " must be an object");
  read_members(text, {{"role", &who},
                      {"content", &content},
                      {"refusal", &refusal},
                      {"reasoning_content", &reasoning},
                      {"tool_calls", &calls},
                      {"tool_call_id", &call_id}});
  auto known = role_of(who);
  if (!known)
    return invalid_request(place + ".role must be system, developer, user, assistant or tool");
  out.who = *known;
  out.reasoning = json_string(reasoning);
  out.tool_call_id = json_string(call_id);
  if (out.who == role::tool && out.tool_call_id.empty())
    return invalid_request(place + ".tool_call_id must be a string that is not empty");
  if (auto bad = read_calls(calls, place + ".tool_calls", out))
    return bad;
  const auto refused = out.who == role::assistant && is_nothing(content);
  return read_content(refused ? refusal : content, place + ".content", out);
}

} // namespace

failure read_completions_messages(std::string_view array, std::vector<chat_message>& out) {
  auto bad = read_message_list(array, out, read_message);
  return bad || !out.empty() ? bad : invalid_request("messages must not be empty");
}

} // namespace troupe
