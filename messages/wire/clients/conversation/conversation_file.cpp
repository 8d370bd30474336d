// The file format of exported conversations.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/chat/chat_message.hpp"
#include "messages/json.hpp"
#include "messages/store/conversation.hpp"
#include "messages/store/stored_file.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "messages/wire/clients/conversation/ui_conversation.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/clients/ui/ui_messages.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_fields.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/tool_call_id.hpp"

namespace troupe {

// -- shown check ----------------------------------------------------------------------------------

namespace {

/// The form that shown_part::value must have.
enum class value_kind : uint8_t {
  none,
  any,
  plain,
  id,
  object,
  object_or_none,
  part,
  json,
  json_or_none
};

struct type_row {
  std::string_view type;
  value_kind value;
};

constexpr std::array<type_row, 22> rows{{
    {"metadata", value_kind::object},
    {"step", value_kind::none},
    {"text", value_kind::object_or_none},
    {"reasoning", value_kind::object_or_none},
    {"call", value_kind::plain},
    {"title", value_kind::any}, // as a server of MCP wrote it
    {"file", value_kind::object_or_none},
    {"part", value_kind::part},
    {"user", value_kind::id},
    {"assistant", value_kind::id},
    {"system", value_kind::id},
    {"error", value_kind::none},
    {"input-error", value_kind::none},
    {"denied", value_kind::none},
    {"json", value_kind::none},
    {"content", value_kind::object_or_none},
    {"output", value_kind::json},
    {"input", value_kind::json_or_none},
    {"rawInput", value_kind::json},
    {"approval", value_kind::object},
    {"name", value_kind::any}, // as a model wrote it
    {"more", value_kind::object},
}};

bool is_part(std::string_view json) {
  const json_source source{json};
  std::string_view type;
  read_members(source.root(), {{"type", &type}});
  return kind_of(source.root()) == json_kind::object && !json_string(type).empty();
}

/// Returns what the value must be; "" if it is that.
std::string_view value_fault(value_kind wanted, std::string_view value) {
  const auto may_be_empty = wanted == value_kind::object_or_none ||
                            wanted == value_kind::json_or_none || wanted == value_kind::none;
  if (value.empty() && may_be_empty)
    return {};
  switch (wanted) {
  case value_kind::none:
    return "must be empty for this type";
  case value_kind::any:
    return {};
  case value_kind::plain:
    return is_call_id(value) ? "" : "must be a string of 1 to 16384 bytes";
  case value_kind::id:
    return !value.empty() && value.size() <= max_id_bytes ? ""
                                                          : "must be a string of 1 to 256 bytes";
  case value_kind::object:
  case value_kind::object_or_none:
    return is_json_object(value) ? "" : "must be the text of a JSON object";
  case value_kind::part:
    return is_part(value) ? "" : "must be the text of a JSON object with a type";
  case value_kind::json:
  case value_kind::json_or_none:
    return json_fault(value).empty() ? "" : "must be JSON text";
  }
  return {};
}

/// The text is written as it is where it is the output.
bool lacks_json(const shown_part& part, const chat_message& message) {
  return part.type == "json" && !json_fault(message.text).empty();
}

/// Checks that each entry is of a known type and holds what its type needs: it goes to clients as
/// it is. @return the first misfit, with its place in the message ("shown[2].value")
json_misfit check_shown(const chat_message& message) {
  for (size_t i = 0; i < message.shown.size(); ++i) {
    const auto& part = message.shown[i];
    const auto row = std::ranges::find(rows, std::string_view{part.type}, &type_row::type);
    if (row == rows.end())
      return {fmt::format("shown[{}].type", i), "is none of the names it can have"};
    if (const auto fault = value_fault(row->value, part.value); !fault.empty())
      return {fmt::format("shown[{}].value", i), std::string{fault}};
    if (lacks_json(part, message))
      return {fmt::format("shown[{}].type", i), "needs a text that is JSON"};
  }
  return {};
}

/// Checks that a client may send back every part that it would be shown: else its next turn would
/// be refused, and so would all others. Only conversations with such entries are looked at.
/// @return the first misfit, with its place in the conversation ("messages[2].message.shown")
json_misfit check_sent_back(const conversation& what) {
  if (std::ranges::none_of(what.messages,
                           [](const auto& each) { return !each.message.shown.empty(); }))
    return {};
  std::vector<size_t> begins;
  const json_source shown{ui_messages_json(what, begins)};
  if (!shown.fault().empty())
    return {"messages", "cannot be shown: " + shown.fault()};
  json_misfit bad;
  size_t at = 0;
  for_each_element(shown.root(), [&](json_value message) {
    if (const auto fault = check_ui_parts(message))
      bad = {fmt::format("messages[{}].message.shown", begins[at]),
             "makes a part that no client could send back: " + fault.message};
    ++at;
    return !bad;
  });
  return bad;
}

// -- conversation file ----------------------------------------------------------------------------

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
  return url.starts_with("data:") || url.starts_with("http:") || url.starts_with("https:") ||
         !file_id_in(url).empty();
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
    return {"url", "must be a data:, http: or https: URL, or that of an uploaded file"};
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

/// A time that no clock shows would become another one when it is stored.
json_misfit check_time(int64_t time_ms, std::string_view name) {
  constexpr int64_t end_of_9999 = 253'402'300'799'999;
  if (time_ms >= 0 && time_ms <= end_of_9999)
    return {};
  return {std::string{name}, "must be milliseconds from 1970 to the year 9999"};
}

json_misfit check_message(const stored_message& stored) {
  const auto& message = stored.message;
  bool is_assistant = message.who == role::assistant;
  if (auto bad = check_time(stored.created_ms, "createdAt"))
    return bad;
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
  if (auto bad = check_shown(message))
    return std::move(bad).inside("message");
  return check_places(message);
}

json_misfit check_turn(const turn_record& turn) {
  if (!is_text_id(turn.turn_id))
    return {"turnId", "must be a string of 1 to 256 bytes"};
  if (auto bad = check_time(turn.started_ms, "startedAt"))
    return bad;
  return check_time(turn.ended_ms, "endedAt");
}

/// The store has one turn of an id: the second one would take the place of the first.
json_misfit check_turn_ids(const std::vector<turn_record>& turns) {
  std::unordered_map<std::string_view, size_t> seen;
  for (size_t i = 0; i < turns.size(); ++i)
    if (auto [first, is_new] = seen.emplace(turns[i].turn_id, i); !is_new)
      return {fmt::format("turns[{}].turnId", i),
              fmt::format("must differ from that of turns[{}]", first->second)};
  return {};
}

json_misfit check_info(const conversation_info& info) {
  if (info.title.size() > max_title_bytes)
    return {"info.title", "must have at most 1024 bytes"};
  if (auto bad = check_time(info.created_ms, "info.createdAt"))
    return bad;
  return check_time(info.updated_ms, "info.updatedAt");
}

json_misfit check(const conversation& what) {
  if (auto bad = check_info(what.info))
    return bad;
  if (auto bad = check_each(what.messages, "messages", check_message))
    return bad;
  if (auto bad = check_each(what.turns, "turns", check_turn))
    return bad;
  if (auto bad = check_turn_ids(what.turns))
    return bad;
  return check_sent_back(what);
}

bool has_no_content(const chat_message& message) {
  return message.text.empty() && message.files.empty() && message.extras.empty();
}

/// Reads an element of `messages`. Where nothing says whose message it is, and it has no content
/// either, it would become an empty message of the user.
json_misfit read_message(json_value in, stored_message& out) {
  json_misfit bad;
  uint64_t read = 0;
  uint64_t read_of_message = 0;
  bool has_role = false;
  const auto read_part = [&](std::string_view key, json_value value) {
    has_role |= key == "role" && value.kind() != json_kind::null;
    bad = read_json_member(key, value, out.message, read_of_message);
    if (bad)
      bad = std::move(bad).inside("message");
    return !bad;
  };
  in.for_each_member([&](std::string_view key, json_value value) {
    if (key != "message" || value.kind() != json_kind::object)
      bad = read_json_member(key, value, out, read);
    else if (read_of_message != 0)
      bad = {"message", "is there twice"};
    else
      value.for_each_member(read_part);
    return !bad;
  });
  if (!bad && !has_role && has_no_content(out.message))
    bad = {"message", "must be an object with a role or a text"};
  return bad;
}

json_misfit read_messages(json_value in, std::vector<stored_message>& out) {
  if (in.kind() == json_kind::null)
    return {};
  if (in.kind() != json_kind::array)
    return {"messages", "must be an array"};
  if (!out.empty())
    return {"messages", "is there twice"};
  json_misfit bad;
  in.for_each_element([&](json_value each) {
    const auto place = fmt::format("messages[{}]", out.size());
    if (out.size() == max_json_elements)
      bad = {"messages", "must not have more than 1000000 elements"};
    else if (each.kind() != json_kind::object)
      bad = {place, "must be an object"};
    else if (bad = read_message(each, out.emplace_back()); bad)
      bad = std::move(bad).inside(place);
    return !bad;
  });
  return bad;
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

failure import_conversation(std::string json, conversation& out) {
  const auto body = json_source::of(std::move(json));
  if (auto bad = check_body(body))
    return bad;
  json_misfit bad;
  bool has_format = false;
  bool has_version = false;
  uint64_t read = 0;
  for_each_member(body.root(), [&](std::string_view key, json_value value) {
    has_format |= key == "format";
    has_version |= key == "version";
    if (key == "format" || key == "version")
      bad = read_format(key, value);
    else if (key == "messages")
      bad = read_messages(value, out.messages);
    else
      bad = read_json_member(key, value, out, read);
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
