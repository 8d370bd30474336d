#include "messages/wire/ui_messages.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <simdjson.h>

#include "messages/wire/json_source.hpp"
#include "messages/wire/ui_parts.hpp"

namespace troupe {

namespace {

namespace ondemand = simdjson::ondemand;

constexpr size_t max_id_bytes = 256;

// A chat sends its whole history with every turn, so this reads all levels in one pass instead of
// walking slices of slices.
class reader {
public:
  explicit reader(ui_history& out) : out_{out} {}

  failure read(ondemand::object message);

private:
  void read_member(std::string_view key, ondemand::value value);
  void read_parts(ondemand::value value);
  void read_part(ondemand::value value);
  failure convert();

  ui_history& out_;
  std::string_view id_;
  std::string_view role_;
  std::string_view content_;
  bool has_parts_ = false;
  size_t odd_part_ = no_part; ///< the first part that is no object
  std::vector<ui_part> parts_;

  static constexpr size_t no_part = static_cast<size_t>(-1);
};

constexpr std::array<std::pair<std::string_view, std::string_view ui_part::*>, 12> part_members{{
    {"type", &ui_part::type},
    {"text", &ui_part::text},
    {"state", &ui_part::state},
    {"toolCallId", &ui_part::tool_call_id},
    {"toolName", &ui_part::tool_name},
    {"input", &ui_part::input},
    {"rawInput", &ui_part::raw_input},
    {"output", &ui_part::output},
    {"errorText", &ui_part::error_text},
    {"mediaType", &ui_part::media_type},
    {"filename", &ui_part::filename},
    {"approval", &ui_part::approval},
}};

std::string_view slice_of(ondemand::value value) {
  std::string_view text;
  return simdjson::to_json_string(value).get(text) ? std::string_view{} : text;
}

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

bool is(ondemand::value& value, ondemand::json_type wanted) {
  ondemand::json_type type;
  return !value.type().get(type) && type == wanted;
}

failure reader::read(ondemand::object message) {
  id_ = role_ = content_ = {};
  has_parts_ = false;
  odd_part_ = no_part;
  parts_.clear();
  for (auto member : message) {
    std::string_view key;
    ondemand::value value;
    if (member.unescaped_key().get(key))
      key = {};
    if (!member.value().get(value))
      read_member(key, value);
  }
  return convert();
}

void reader::read_member(std::string_view key, ondemand::value value) {
  if (key == "id")
    id_ = slice_of(value);
  else if (key == "role")
    role_ = slice_of(value);
  else if (key == "content")
    content_ = slice_of(value);
  else if (key == "parts")
    read_parts(value);
}

void reader::read_parts(ondemand::value value) {
  parts_.clear();
  ondemand::array parts;
  has_parts_ = is(value, ondemand::json_type::array) && !value.get_array().get(parts);
  if (!has_parts_)
    return;
  for (auto element : parts)
    if (ondemand::value part; !element.get(part))
      read_part(part);
}

void reader::read_part(ondemand::value value) {
  auto& part = parts_.emplace_back();
  ondemand::object members;
  if (!is(value, ondemand::json_type::object) || value.get_object().get(members)) {
    odd_part_ = std::min(odd_part_, parts_.size() - 1);
    return;
  }
  for (auto member : members) {
    std::string_view key;
    ondemand::value inner;
    if (member.unescaped_key().get(key) || member.value().get(inner))
      continue;
    for (auto [name, slot] : part_members)
      if (name == key)
        part.*slot = slice_of(inner);
  }
}

failure reader::convert() {
  auto who = role_of(role_);
  if (!who)
    return invalid(".role must be \"system\", \"user\" or \"assistant\"");
  auto id = json_string(id_);
  if ((!is_nothing(id_) && kind_of(id_) != json_kind::string) || id.size() > max_id_bytes)
    return invalid(".id must be a string of at most 256 bytes");
  if (odd_part_ != no_part)
    return invalid(fmt::format(".parts[{}] must be an object", odd_part_));
  // The shape of AI SDK 4 and of most other clients: the text as it is.
  if (!has_parts_ && kind_of(content_) == json_kind::string) {
    parts_.emplace_back();
    parts_.back().type = "\"text\"";
    parts_.back().text = content_;
  } else if (!has_parts_) {
    return invalid(".parts must be an array");
  }
  out_.continued_id = *who == role::assistant ? std::move(id) : std::string{};
  return append_ui_parts(*who, parts_, out_.messages);
}

failure prefixed(const std::string& place, failure bad) {
  return {bad.code, place + bad.message};
}

simdjson::padded_string_view padded(std::string_view slice) {
  return simdjson::padded_string_view{slice.data(), slice.size(),
                                      slice.size() + simdjson::SIMDJSON_PADDING};
}

} // namespace

failure read_ui_messages(std::string_view array, ui_history& out) {
  ondemand::parser parser;
  ondemand::document document;
  ondemand::array messages;
  if (kind_of(array) != json_kind::array || parser.iterate(padded(array)).get(document) ||
      document.get_array().get(messages))
    return invalid("messages must be an array");
  reader each{out};
  size_t index = 0;
  for (auto element : messages) {
    auto place = [&] { return fmt::format("messages[{}]", index); };
    if (index == max_request_messages)
      return invalid("messages must not be more than 10000");
    ondemand::value value;
    ondemand::object message;
    if (element.get(value) || !is(value, ondemand::json_type::object) ||
        value.get_object().get(message))
      return invalid(place() + " must be an object");
    if (auto bad = each.read(message))
      return prefixed(place(), std::move(bad));
    ++index;
  }
  return {};
}

failure read_ui_message(std::string_view message, ui_history& out) {
  if (kind_of(message) == json_kind::string) {
    out.messages.push_back({role::user, json_string(message), {}, {}, {}});
    return {};
  }
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object members;
  if (kind_of(message) != json_kind::object || parser.iterate(padded(message)).get(document) ||
      document.get_object().get(members))
    return invalid("message must be an object or a string");
  if (auto bad = reader{out}.read(members))
    return prefixed("message", std::move(bad));
  // An assistant's message comes back when the client has run tools; the calls are known here.
  auto& all = out.messages;
  auto last_step = std::find_if(all.rbegin(), all.rend(),
                                [](const chat_message& m) { return m.who == role::assistant; });
  all.erase(all.begin(), last_step.base());
  return {};
}

} // namespace troupe
