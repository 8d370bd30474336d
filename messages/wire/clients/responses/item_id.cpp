#include "messages/wire/clients/responses/item_id.hpp"

#include <algorithm>
#include <array>

#include "messages/ids.hpp"

namespace troupe {

namespace {

constexpr std::string_view custom_prefix = "ctc_";
constexpr std::string_view call_prefix = "fc_";

std::string_view prefix_of(response_kind kind) {
  switch (kind) {
  case response_kind::message:
    return "msg_";
  case response_kind::reasoning:
    return "rs_";
  case response_kind::function_call:
    return call_prefix;
  case response_kind::custom_call:
    return custom_prefix;
  case response_kind::mcp_call:
    return "mcp_";
  }
  return "";
}

/// Takes digits off the front of `text`. @return whether there were any
bool skip_digits(std::string_view& text) {
  const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(end);
  return end > 0;
}

} // namespace

std::string make_item_id(response_kind kind, const item_number& number, std::string_view place) {
  const auto prefix = prefix_of(kind);
  if (place.empty())
    return make_id(prefix);
  auto id = std::string{prefix} + std::to_string(number.of);
  if (number.part > 0)
    id.append("-").append(std::to_string(number.part));
  return id.append("_").append(place);
}

std::optional<response_place> place_of_item(std::string_view id) {
  constexpr std::array<std::string_view, 5> prefixes{"msg_", "rs_", call_prefix, custom_prefix,
                                                     "mcp_"};
  const auto prefix =
      std::ranges::find_if(prefixes, [id](auto each) { return id.starts_with(each); });
  if (prefix == prefixes.end())
    return std::nullopt;
  id.remove_prefix(prefix->size());
  if (!skip_digits(id))
    return std::nullopt;
  if (id.starts_with('-')) {
    id.remove_prefix(1);
    if (!skip_digits(id))
      return std::nullopt;
  }
  if (!id.starts_with('_'))
    return std::nullopt;
  return place_in(id.substr(1));
}

std::string kept_id_of(std::string_view id) {
  std::string made{id};
  if (id.starts_with(custom_prefix))
    made.replace(0, custom_prefix.size(), call_prefix);
  if (const auto part = made.find('-'); part != std::string::npos)
    made.erase(part, made.find('_', part) - part);
  return made;
}

} // namespace troupe
