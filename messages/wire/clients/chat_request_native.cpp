#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "messages/chat/chat_message.hpp"
#include "messages/errors.hpp"
#include "messages/wire/clients/chat_request.hpp"
#include "messages/wire/clients/content_parts.hpp"
#include "messages/wire/clients/message_list.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/tool_call_id.hpp"

namespace troupe {

// -- native messages ------------------------------------------------------------------------------

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
  if (auto bad = read_object(text, place,
                             {{"id", &id},
                              {"name", &name},
                              {"arguments", &arguments},
                              {"type", &type},
                              {"function", &function}}))
    return bad;
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
  return read_list(calls, place, max_message_calls,
                   [&out](std::string_view text, const std::string& at) {
                     return read_call(text, at, out.emplace_back());
                   });
}

failure read_message(std::string_view text, const std::string& place, chat_message& out) {
  std::string_view who, content, reasoning, calls, call_id;
  if (auto bad = read_object(text, place,
                             {{"role", &who},
                              {"content", &content},
                              {"reasoning", &reasoning},
                              {"tool_calls", &calls},
                              {"tool_call_id", &call_id}}))
    return bad;
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

/// Reads `[{role, content, reasoning?, tool_calls?, tool_call_id?}...]`, where a call is
/// `{id, name, arguments}` or as OpenAI has it, `{id, type, function: {name, arguments}}`, with
/// arguments as an object or as its JSON text. Unknown keys are errors; every failure names the
/// place.
/// @param array a slice of a json_source
failure read_native_messages(std::string_view array, std::vector<chat_message>& out) {
  return read_message_list(array, out, read_message);
}

// -- chat request native --------------------------------------------------------------------------

/// The members of a body that are no options.
struct native_members {
  std::string_view message;
  std::string_view messages;
  std::string_view replace_history;
  std::string_view prompt;
  std::string_view resume;
  std::string_view replace_from;
  option_members options;
};

constexpr member_table<native_members, 6> native_table{{
    {"message", &native_members::message},
    {"messages", &native_members::messages},
    {"replaceHistory", &native_members::replace_history},
    {"prompt", &native_members::prompt},
    {"resume", &native_members::resume},
    {"replaceFrom", &native_members::replace_from},
}};

/// Reads the members; returns the first key that is none.
std::optional<std::string> read_body(std::string_view body, native_members& in) {
  std::optional<std::string> unknown;
  for_each_member(body, [&](std::string_view key, json_value value) {
    if (!take_member(in, native_table, key, value) && !in.options.take(key, value))
      unknown = key;
    return !unknown;
  });
  return unknown;
}

/// Reads the place in the stored history where the turn begins, if it is not the end.
failure read_place(const native_members& in, turn_request& out) {
  if (auto bad = read_flag(in.replace_history, "replaceHistory", out.replaces_history))
    return bad;
  if (auto bad = read_flag(in.resume, "resume", out.resumes))
    return bad;
  if (is_nothing(in.replace_from))
    return {};
  if (!is_id(in.replace_from))
    return invalid_request("replaceFrom must be a string of 1 to 256 bytes, the id of a message");
  if (out.replaces_history)
    return invalid_request("replaceFrom cannot stand beside replaceHistory");
  out.cut_at = json_string(in.replace_from);
  return {};
}

failure read_history(const native_members& in, turn_request& out) {
  auto has_prompt = !out.prompt.server.empty();
  auto has_nothing = in.messages.empty() && in.message.empty();
  if (out.resumes && (!has_nothing || has_prompt || out.replaces_history || !out.cut_at.empty()))
    return invalid_request("resume cannot stand beside message, messages, prompt, replaceHistory "
                           "or replaceFrom");
  if (has_nothing && (has_prompt || out.resumes || !out.cut_at.empty()))
    return {};
  if (in.messages.empty() == in.message.empty())
    return invalid_request("the body must have either message or messages");
  if (!in.messages.empty()) {
    if (auto bad = read_native_messages(in.messages, out.messages))
      return bad;
    return out.messages.empty() && !has_prompt ? invalid_request("messages must not be empty")
                                               : failure{};
  }
  auto text = json_string(in.message);
  if (text.empty())
    return invalid_request("message must be a string that is not empty");
  out.messages.push_back({role::user, std::move(text), {}, {}, {}});
  return {};
}

} // namespace

failure parse_native_request(std::string_view body, turn_request& out) {
  json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  native_members in;
  if (auto key = read_body(source.root(), in))
    return invalid_request("the body has the unknown key \"" + *key + "\"");
  turn_request read;
  read.session_id = out.session_id; // from the path
  if (auto bad = read_options(in.options, read.options))
    return bad;
  if (auto bad = read_flag(in.options.ephemeral, "ephemeral", read.ephemeral))
    return bad;
  if (auto bad = read_prompt(in.prompt, read.prompt))
    return bad;
  if (auto bad = read_place(in, read))
    return bad;
  if (auto bad = read_history(in, read))
    return bad;
  out = std::move(read);
  return {};
}

} // namespace troupe
