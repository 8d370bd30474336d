// The file format of exported conversations.
#include "messages/wire/clients/conversation/conversation_json.hpp"

#include <fmt/format.h>

#include "messages/json.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_fields.hpp"
#include "messages/wire/tool_call_id.hpp"

namespace troupe {

namespace {

constexpr std::string_view format_name = "troupe.conversation";
constexpr int format_version = 1;

/// Checks the members that name the format and its version.
json_misfit read_format(std::string_view key, json_value value) {
  if (key == "format")
    return json_string(value) == format_name
               ? json_misfit{}
               : json_misfit{"format", "must be \"troupe.conversation\""};
  return integer_of(std::string_view{value}) == format_version
             ? json_misfit{}
             : json_misfit{"version", "must be 1: a newer program has made this"};
}

bool is_text_id(std::string_view id) {
  return !id.empty() && id.size() <= max_id_bytes;
}

bool is_object_or_nothing(std::string_view json) {
  return json.empty() || is_json_object(json);
}

bool is_file_url(std::string_view url) {
  return url.starts_with("data:") || url.starts_with("http:") || url.starts_with("https:");
}

/// Checks a rule that every stored history keeps: later the call goes to a provider unchecked.
json_misfit check_call(const tool_call& call) {
  if (!is_call_id(call.id))
    return {"id", std::string{call_id_rule}};
  if (!is_text_id(call.name))
    return {"name", "must be a string of 1 to 256 bytes"};
  if (!is_json_object(call.arguments))
    return {"arguments", "must be the text of a JSON object"};
  if (!is_object_or_nothing(call.provider_metadata))
    return {"providerMetadata", "must be the text of a JSON object"};
  return {};
}

json_misfit check_file(const message_file& file) {
  if (file.media_type.empty())
    return {"mediaType", "must not be empty"};
  if (!is_file_url(file.url))
    return {"url", "must be a data:, http: or https: URL"};
  return {};
}

/// A file must stand at the boundary of two characters of the text.
json_misfit check_places(const chat_message& message) {
  constexpr auto begins_character = [](char c) { return (c & '\xC0') != '\x80'; };
  const auto size = message.text.size();
  for (size_t i = 0; i < message.files.size(); ++i)
    if (const auto behind = message.files[i].text_behind;
        behind > size || (behind > 0 && !begins_character(message.text[size - behind])))
      return {fmt::format("message.files[{}].textBehind", i),
              "must be a number of bytes at the end of the text"};
  return {};
}

template <class T>
json_misfit check_each(const std::vector<T>& all, std::string_view name,
                       json_misfit (*check)(const T&)) {
  for (size_t i = 0; i < all.size(); ++i)
    if (auto bad = check(all[i]))
      return std::move(bad).inside(fmt::format("{}[{}]", name, i));
  return {};
}

json_misfit check_message(const stored_message& stored) {
  const auto& message = stored.message;
  bool is_assistant = message.who == role::assistant;
  if (message.id.size() > max_id_bytes)
    return {"message.id", "must have at most 256 bytes"};
  if (!is_assistant && !message.tool_calls.empty())
    return {"message.tool_calls", "are for assistants"};
  if (message.who == role::tool ? !is_call_id(message.tool_call_id) : !message.tool_call_id.empty())
    return {"message.tool_call_id", "is the id of the call that a tool message answers"};
  if (!is_object_or_nothing(message.provider_metadata))
    return {"message.providerMetadata", "must be the text of a JSON object"};
  if (auto bad = check_each(message.tool_calls, "message.tool_calls", check_call))
    return bad;
  if (auto bad = check_each(message.files, "message.files", check_file))
    return bad;
  return check_places(message);
}

json_misfit check_turn(const turn_record& turn) {
  return is_text_id(turn.turn_id) ? json_misfit{}
                                  : json_misfit{"turnId", "must be a string of 1 to 256 bytes"};
}

json_misfit check(const conversation& what) {
  if (what.info.title.size() > max_title_bytes)
    return {"info.title", "must have at most 1024 bytes"};
  if (auto bad = check_each(what.messages, "messages", check_message))
    return bad;
  return check_each(what.turns, "turns", check_turn);
}

/// The turn ran in the process that made the file, not in this one: it becomes interrupted.
void interrupt(turn_record& turn) {
  if (turn.state != turn_state::running)
    return;
  turn.state = turn_state::interrupted;
  turn.error = {errc::server_restarted, "The conversation was exported while it answered."};
}

} // namespace

std::string export_json(const conversation& what) {
  json_buffer out;
  fmt::format_to(std::back_inserter(out), R"({{"format":"{}","version":{},)", format_name,
                 format_version);
  append_members(out, what);
  out.push_back('}');
  return std::string{view(out)};
}

failure import_conversation(std::string_view json, conversation& out) {
  json_source body{json};
  if (auto bad = check_body(body))
    return bad;
  json_misfit bad;
  bool has_format = false;
  bool has_version = false;
  for_each_member(body.root(), [&](std::string_view key, json_value value) {
    has_format |= key == "format";
    has_version |= key == "version";
    bad = key == "format" || key == "version" ? read_format(key, value)
                                              : read_json_member(key, value, out);
    return !bad;
  });
  if (!bad && !(has_format && has_version))
    bad = {"", R"(must have "format":"troupe.conversation" and "version":1)"};
  if (!bad)
    bad = check(out);
  if (bad)
    return invalid_request(bad.text("the body"));
  for (auto& turn : out.turns)
    interrupt(turn);
  return out.info.id.empty() ? failure{} : check_conversation_id(out.info.id);
}

} // namespace troupe
