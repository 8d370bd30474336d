#include "messages/wire/clients/conversation/shown_check.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "messages/wire/clients/conversation/ui_conversation.hpp"
#include "messages/wire/clients/ui/ui_messages.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/tool_call_id.hpp"

namespace troupe {

namespace {

/// What shown_part::value must be.
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

} // namespace

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

} // namespace troupe
