#include "actors/session/merged_tools.hpp"

#include <algorithm>

#include "messages/wire/providers.hpp"

namespace troupe {

namespace {

bool by_name(const tool_definition& a, const tool_definition& b) {
  return a.name < b.name;
}

bool same_name(const tool_definition& a, const tool_definition& b) {
  return a.name == b.name;
}

bool same_tool(const tool_definition& a, const tool_definition& b) {
  return a.name == b.name && a.description == b.description && a.input_schema == b.input_schema &&
         a.strict == b.strict;
}

} // namespace

bool merged_tools::same(const frozen<tool_set>& base, const std::vector<tool_definition>& own,
                        std::string_view provider) const {
  return &*base == &*base_ && provider == provider_ &&
         std::equal(own.begin(), own.end(), own_.begin(), own_.end(), same_tool);
}

const frozen<tool_set>& merged_tools::join(const frozen<tool_set>& base,
                                           const std::vector<tool_definition>& own,
                                           std::string_view provider) {
  if (own.empty())
    return base;
  if (same(base, own, provider))
    return joined_;
  tool_set made;
  made.version = base->version;
  made.tools = own;
  for (auto& each : made.tools)
    each.server.clear(); // whatever a client says, its calls go nowhere else
  made.tools.insert(made.tools.end(), base->tools.begin(), base->tools.end());
  std::stable_sort(made.tools.begin(), made.tools.end(), by_name);
  made.tools.erase(std::unique(made.tools.begin(), made.tools.end(), same_name), made.tools.end());
  made.rendered = find_provider(provider)->render_tools(made.tools);
  base_ = base;
  own_ = own;
  provider_ = provider;
  joined_ = frozen<tool_set>{std::move(made)};
  return joined_;
}

} // namespace troupe
