#include "tests/messages/wire/anthropic/anthropic_faults.hpp"

#include <algorithm>
#include <set>

#include "tests/support/history_rules.hpp"

namespace troupe::test {

void anthropic_faults::require(bool holds, const std::string& what) {
  if (!holds)
    list.push_back(where + what);
}

void anthropic_faults::only(const json_node& object, names allowed) {
  require(object.kind == json_kind::object, "no object");
  std::set<std::string_view> seen;
  for (const auto& each : object.children) {
    require(std::ranges::find(allowed, each.key) != allowed.end(),
            each.key + ": extra inputs are not permitted");
    require(seen.insert(each.key).second, each.key + " is there twice");
    if (each.key == "cache_control") {
      ++marks;
      require(anthropic_text(each, "type") == "ephemeral", "an unknown mark");
    }
  }
}

void anthropic_faults::text(const json_node& block, names allowed) {
  only(block, allowed);
  require(!is_blank(anthropic_text(block, "text")), "a text is blank");
}

std::string anthropic_text(const json_node& object, std::string_view key) {
  const auto* found = object.find(key);
  return found != nullptr && found->kind == json_kind::string ? found->text : std::string{};
}

bool is_anthropic_id(std::string_view id, std::string_view more) {
  return !id.empty() && std::ranges::all_of(id, [more](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '-' || more.find(c) != std::string_view::npos;
  });
}

} // namespace troupe::test
