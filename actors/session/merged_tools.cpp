#include "actors/session/merged_tools.hpp"

#include <algorithm>

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

bool merged_tools::same(const frozen<tool_set>& base,
                        const std::vector<tool_definition>& own) const {
  return &*base == &*base_ &&
         std::equal(own.begin(), own.end(), own_.begin(), own_.end(), same_tool);
}

const frozen<tool_set>& merged_tools::join(const frozen<tool_set>& base,
                                           const std::vector<tool_definition>& own) {
  if (own.empty())
    return base;
  if (same(base, own))
    return joined_;
  tool_set made;
  made.version = base->version;
  made.tools = own;
  for (auto& each : made.tools)
    each.server.clear(); // whatever a client says, its calls go nowhere else
  made.tools.insert(made.tools.end(), base->tools.begin(), base->tools.end());
  std::stable_sort(made.tools.begin(), made.tools.end(), by_name);
  made.tools.erase(std::unique(made.tools.begin(), made.tools.end(), same_name), made.tools.end());
  base_ = base;
  own_ = own;
  joined_ = frozen<tool_set>{std::move(made)};
  return joined_;
}

} // namespace troupe
