#include "actors/mcp_hub/tool_sets.hpp"

#include <unordered_set>
#include <utility>

namespace troupe {

namespace {

/// Choices come from clients, so their number is not ours to decide.
constexpr size_t max_sets = 64;

std::string key_of(const list_tools& ask) {
  std::string key;
  if (!ask.limits_servers)
    return key;
  key.push_back('\0'); // a choice of no server is not the same as no choice
  for (const auto& each : ask.servers)
    key.append(each).push_back('\0');
  return key;
}

} // namespace

void tool_sets::invalidate() {
  stale_ = true;
  sets_.clear();
}

void tool_sets::index(const std::vector<tool_source>& sources) {
  index_ = index_tools(sources, always_prefix_);
  stale_ = false;
}

const frozen<tool_set>& tool_sets::get(const list_tools& ask) {
  auto key = key_of(ask);
  if (auto known = sets_.find(key); known != sets_.end())
    return known->second;
  if (sets_.size() >= max_sets)
    sets_.clear();
  return sets_.emplace(std::move(key), frozen<tool_set>{make(ask)}).first->second;
}

tool_set tool_sets::make(const list_tools& ask) {
  tool_set made{++version_, {}};
  std::unordered_set<std::string_view> wanted(ask.servers.begin(), ask.servers.end());
  for (const auto& tool : index_)
    if (!ask.limits_servers || wanted.contains(tool.server))
      made.tools.push_back(tool);
  return made;
}

} // namespace troupe
