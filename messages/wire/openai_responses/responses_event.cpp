#include "messages/wire/openai_responses/responses_event.hpp"

#include <array>

#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

using told = responses_event_kind;

struct kind_row {
  std::string_view type; ///< after "response."
  told means;
};

/// The first rows are those of most events.
constexpr std::array kind_rows{
    kind_row{"output_text.delta", told::text},
    kind_row{"function_call_arguments.delta", told::arguments},
    kind_row{"reasoning_summary_text.delta", told::summary},
    kind_row{"reasoning_text.delta", told::thought},
    kind_row{"refusal.delta", told::refusal},
    kind_row{"output_item.added", told::item_added},
    kind_row{"output_item.done", told::item_done},
    kind_row{"output_text.done", told::text_done},
    kind_row{"function_call_arguments.done", told::arguments_done},
    kind_row{"reasoning_summary_text.done", told::summary_done},
    kind_row{"reasoning_text.done", told::thought_done},
    kind_row{"refusal.done", told::refusal_done},
    kind_row{"created", told::begun},
    kind_row{"queued", told::begun},
    kind_row{"in_progress", told::begun},
    kind_row{"completed", told::ended},
    kind_row{"incomplete", told::ended},
    kind_row{"failed", told::ended},
};

struct member_row {
  std::string_view key;
  std::string_view responses_event::*place;
};

constexpr std::array member_rows{
    member_row{"type", &responses_event::type},
    member_row{"delta", &responses_event::delta},
    member_row{"sequence_number", &responses_event::sequence_number},
    member_row{"obfuscation", &responses_event::obfuscation},
    member_row{"output_index", &responses_event::output_index},
    member_row{"content_index", &responses_event::part_index},
    member_row{"summary_index", &responses_event::part_index},
    member_row{"item", &responses_event::item},
    member_row{"text", &responses_event::whole},
    member_row{"arguments", &responses_event::whole},
    member_row{"refusal", &responses_event::whole},
    member_row{"response", &responses_event::response},
    member_row{"error", &responses_event::error},
    member_row{"status", &responses_event::status},
    member_row{"output", &responses_event::output},
};

/// Returns a value as JSON text; null gives "".
std::string_view given(std::string_view value) {
  return value == "null" ? std::string_view{} : value;
}

} // namespace

responses_event_kind responses_event_kind_of(std::string_view type) {
  constexpr std::string_view family = "response.";
  if (type == "error")
    return told::error;
  if (!type.starts_with(family))
    return told::other;
  type.remove_prefix(family.size());
  for (const auto& each : kind_rows)
    if (each.type == type)
      return each.means;
  return told::other;
}

responses_event_kind responses_event::kind_or(std::string_view named) const {
  const auto is_given = kind_of(type) == json_kind::string;
  return responses_event_kind_of(is_given ? type.substr(1, type.size() - 2) : named);
}

bool read_responses_event(std::string_view json, responses_event& out) {
  auto visit = [&out](std::string_view key, json_value value) {
    for (const auto& each : member_rows)
      if (each.key == key) {
        out.*each.place = given(value);
        break;
      }
    return true;
  };
  std::string_view behind;
  const auto whole = for_each_member(json, visit, behind);
  out.json = json.substr(0, json.size() - behind.size());
  return whole;
}

responses_state read_responses_state(std::string_view json) {
  responses_state read;
  std::string_view details;
  read_members(json, {{"status", &read.status},
                      {"output", &read.output},
                      {"usage", &read.usage},
                      {"error", &read.error},
                      {"incomplete_details", &details},
                      {"max_output_tokens", &read.max_output_tokens}});
  read_members(details, {{"reason", &read.incomplete_reason}});
  read.error = given(read.error);
  return read;
}

} // namespace troupe
