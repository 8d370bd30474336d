#include "messages/chat/tool_set.hpp"

#include <algorithm>

namespace troupe {

rendered_tools& rendered_tools::operator=(const rendered_tools& other) noexcept {
  if (this != &other) {
    const std::scoped_lock lock{mutex_};
    made_.clear();
  }
  return *this;
}

const std::string& rendered_tools::get(render how,
                                       const std::vector<tool_definition>& tools) const {
  const std::scoped_lock lock{mutex_};
  auto [known, is_new] = made_.try_emplace(how);
  if (is_new)
    known->second = how(tools);
  return known->second;
}

const tool_definition* tool_set::find(std::string_view name) const {
  auto i = std::lower_bound(tools.begin(), tools.end(), name,
                            [](const auto& tool, std::string_view key) { return tool.name < key; });
  return i != tools.end() && i->name == name ? &*i : nullptr;
}

tool_set fewer_tools(const tool_set& all, size_t most) {
  const auto is_own = [](const tool_definition& tool) { return tool.server.empty(); };
  const auto own = static_cast<size_t>(std::ranges::count_if(all.tools, is_own));
  auto places = std::max(most, own) - own;
  tool_set out{all.version, {}};
  for (const auto& tool : all.tools) {
    if (!is_own(tool) && places == 0)
      continue;
    places -= is_own(tool) ? 0 : 1;
    out.tools.push_back(tool);
  }
  return out;
}

} // namespace troupe
