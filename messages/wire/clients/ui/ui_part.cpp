#include "messages/wire/clients/ui/ui_part.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "messages/json.hpp"

namespace troupe {

namespace {

using part_member = std::pair<std::string_view, std::string_view ui_part::*>;

constexpr std::array<part_member, 17> part_members{{
    {"type", &ui_part::type},
    {"id", &ui_part::id},
    {"text", &ui_part::text},
    {"state", &ui_part::state},
    {"toolCallId", &ui_part::tool_call_id},
    {"toolName", &ui_part::tool_name},
    {"input", &ui_part::input},
    {"rawInput", &ui_part::raw_input},
    {"output", &ui_part::output},
    {"errorText", &ui_part::error_text},
    {"title", &ui_part::title},
    {"mediaType", &ui_part::media_type},
    {"filename", &ui_part::filename},
    {"url", &ui_part::url},
    {"approval", &ui_part::approval},
    {"callProviderMetadata", &ui_part::call_metadata},
    {"providerMetadata", &ui_part::metadata},
}};

bool lists(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

void ui_part::take(std::string_view key, json_value value) {
  for (const auto& [name, member] : part_members)
    if (name == key) {
      this->*member = value;
      return;
    }
  more.append(",").append(to_json(key)).append(":").append(std::string_view{value});
}

bool ui_part::has_only(std::initializer_list<std::string_view> names) const {
  return more.empty() &&
         std::all_of(part_members.begin(), part_members.end(), [&](const auto& each) {
           return (this->*each.second).empty() || lists(names, each.first);
         });
}

std::string ui_part::others(std::initializer_list<std::string_view> names) const {
  std::string out;
  for (const auto& [name, member] : part_members)
    if (!(this->*member).empty() && !lists(names, name))
      out.append(",\"").append(name).append("\":").append(this->*member);
  out += more;
  if (out.empty())
    return out;
  out.front() = '{';
  return out += '}';
}

} // namespace troupe
