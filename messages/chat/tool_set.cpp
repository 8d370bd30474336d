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

} // namespace troupe
