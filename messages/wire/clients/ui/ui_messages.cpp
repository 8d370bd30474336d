#include "messages/wire/clients/ui/ui_messages.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "messages/json.hpp"
#include "messages/wire/clients/ui/ui_parts.hpp"
#include "messages/wire/clients/ui/ui_steps.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/tool_call_id.hpp"

namespace troupe {

namespace {

std::optional<role> role_of(std::string_view slice) {
  auto name = json_string(slice);
  if (name == "user")
    return role::user;
  if (name == "assistant")
    return role::assistant;
  if (name == "system")
    return role::system;
  return std::nullopt;
}

failure invalid(std::string what) {
  return {errc::request_invalid, std::move(what)};
}

failure read_part(json_value value, size_t index, ui_part& out) {
  if (value.kind() != json_kind::object)
    return invalid(fmt::format(".parts[{}] must be an object", index));
  value.for_each_member([&out](std::string_view key, json_value member) {
    out.take(key, member);
    return true;
  });
  return {};
}

/// The members of one message. A chat sends its whole history with every turn, so all levels of the
/// body are read in one pass.
struct ui_message {
  std::string_view id;
  std::string_view role;
  std::string_view content;
  std::string_view metadata;
  bool has_parts = false;
  failure bad_part;
  std::vector<ui_part> parts;
  ui_rest rest;

  /// Resets the members for the next message; returns the visitor of its members.
  member_visitor begin();
  void read(std::string_view key, json_value value);
  void read_parts(json_value array);
};

member_visitor ui_message::begin() {
  id = role = content = metadata = {};
  has_parts = false;
  bad_part = {};
  parts.clear();
  return [this](std::string_view key, json_value value) {
    read(key, value);
    return true;
  };
}

void ui_message::read(std::string_view key, json_value value) {
  if (key == "id")
    id = value;
  else if (key == "role")
    role = value;
  else if (key == "content")
    content = value;
  else if (key == "metadata")
    metadata = value;
  else if (key == "parts")
    read_parts(value);
}

void ui_message::read_parts(json_value array) {
  parts.clear();
  bad_part = {};
  has_parts = array.kind() == json_kind::array;
  array.for_each_element([this](json_value value) {
    auto index = parts.size();
    auto bad = index == max_message_parts
                   ? invalid(fmt::format(".parts must not be more than {}", max_message_parts))
                   : read_part(value, index, parts.emplace_back());
    if (bad && !bad_part)
      bad_part = std::move(bad);
    return index < max_message_parts;
  });
}

/// Returns what is kept of a client's metadata: createdAt is ours.
std::optional<shown_part> metadata_entry(std::string_view metadata) {
  json_buffer kept;
  for_each_member(metadata, [&](std::string_view key, json_value value) {
    if (key == "createdAt")
      return true;
    kept.push_back(kept.size() == 0 ? '{' : ',');
    append_json(kept, key);
    kept.push_back(':');
    append_raw(kept, value);
    return true;
  });
  if (kept.size() == 0)
    return std::nullopt;
  kept.push_back('}');
  return make_shown("metadata", std::string{view(kept)});
}

/// A UI message with nothing for a model is kept after the message before it.
void append_silent(role who, const std::string& id, ui_message& message, chat_message& last) {
  auto parts = std::exchange(message.rest.silent, {});
  if (parts.empty())
    return; // a page shows nothing of it
  if (auto metadata = metadata_entry(message.metadata))
    parts.insert(parts.begin(), std::move(*metadata));
  parts.insert(parts.begin(), make_shown(to_string(who), id));
  show_behind(last, std::move(parts));
}

failure append_message(ui_message& message, ui_history& out) {
  auto who = role_of(message.role);
  if (!who)
    return invalid(".role must be \"system\", \"user\" or \"assistant\"");
  auto id = json_string(message.id);
  if ((!is_nothing(message.id) && kind_of(message.id) != json_kind::string) ||
      id.size() > max_id_bytes)
    return invalid(".id must be a string of at most 256 bytes");
  if (message.bad_part)
    return std::move(message.bad_part);
  // The format of AI SDK 4 and of most other clients: content is a string.
  if (!message.has_parts && kind_of(message.content) == json_kind::string) {
    auto& part = message.parts.emplace_back();
    part.type = "\"text\"";
    part.text = message.content;
  } else if (!message.has_parts) {
    return invalid(".parts must be an array");
  }
  auto before = out.messages.size();
  auto bad = append_ui_parts(*who, message.parts, out.messages, message.rest);
  for (auto each = before; each < out.messages.size(); ++each)
    out.messages[each].id = id;
  if (before < out.messages.size()) {
    auto& shown = out.messages[before].shown;
    if (auto metadata = metadata_entry(message.metadata))
      shown.insert(shown.begin(), std::move(*metadata));
  } else if (before > 0 && !id.empty()) {
    append_silent(*who, id, message, out.messages.back());
  }
  out.continued_id = *who == role::assistant ? std::move(id) : std::string{};
  return bad;
}

/// Removes the provisional results of calls that the user has approved or refused: the turn itself
/// runs or refuses these calls.
void take_approvals(ui_message& last, ui_history& out) {
  auto& answered = last.rest.answered;
  for (auto each = answered.rbegin(); each != answered.rend(); ++each)
    out.messages.erase(out.messages.begin() + static_cast<std::ptrdiff_t>(each->result));
  for (auto& each : answered)
    out.approvals.push_back(std::move(each.approval));
}

failure prefixed(const std::string& place, const failure& bad) {
  return {bad.code, place + bad.message};
}

} // namespace

failure check_ui_parts(std::string_view slice) {
  std::string_view who, parts;
  read_members(slice, {{"role", &who}, {"parts", &parts}});
  failure bad;
  for_each_element(parts, [&](json_value value) {
    std::vector<ui_part> one(1);
    std::vector<chat_message> read;
    ui_rest rest;
    bad = read_part(value, 0, one[0]);
    if (!bad)
      bad = append_ui_parts(role_of(who).value_or(role::user), one, read, rest);
    return !bad;
  });
  bad.message.erase(0, bad.message.find_first_of(" .", 1) + 1); // ".parts[0]."
  return bad;
}

failure read_ui_messages(std::string_view array, ui_history& out) {
  if (kind_of(array) != json_kind::array)
    return invalid("messages must be an array");
  failure bad;
  size_t index = 0;
  ui_message message;
  for_each_element(array, [&](json_value value) {
    auto place = [&] { return fmt::format("messages[{}]", index); };
    if (index == max_request_messages)
      bad = invalid("messages must not be more than 10000");
    else if (value.kind() != json_kind::object)
      bad = invalid(place() + " must be an object");
    else if (value.for_each_member(message.begin()); (bad = append_message(message, out)))
      bad = prefixed(place(), bad);
    ++index;
    return !bad;
  });
  take_approvals(message, out);
  return bad;
}

failure read_ui_message(std::string_view slice, ui_history& out) {
  if (kind_of(slice) == json_kind::string) {
    out.messages.push_back({role::user, json_string(slice), {}, {}, {}});
    return {};
  }
  if (kind_of(slice) != json_kind::object)
    return invalid("message must be an object or a string");
  ui_message message;
  for_each_member(slice, message.begin());
  if (auto bad = append_message(message, out))
    return prefixed("message", bad);
  take_approvals(message, out);
  // An assistant's message comes back when the client has run tools; the calls are known here.
  auto& all = out.messages;
  auto last_step = std::find_if(all.rbegin(), all.rend(),
                                [](const chat_message& m) { return m.who == role::assistant; });
  all.erase(all.begin(), last_step.base());
  return {};
}

} // namespace troupe
