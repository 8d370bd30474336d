#include "actors/session/tool_names.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "messages/chat/tool_name.hpp"

namespace troupe {

namespace {

using view_of_identity = std::pair<std::string_view, std::string_view>;

view_of_identity identity_of(const tool_definition& tool) {
  return {tool.server, tool.server_tool};
}

constexpr size_t max_name = 64;

/// Returns `wanted`, or where that is taken a name that ends in '_' and a number.
std::string free_name(const std::string& wanted, const std::unordered_set<std::string>& taken) {
  auto name = wanted;
  for (size_t n = 2; taken.contains(name); ++n) {
    auto suffix = fmt::format("_{}", n);
    name = wanted.substr(0, max_name - suffix.size()) + suffix;
  }
  return name;
}

} // namespace

/// Everything that was seen, for one comparison.
struct tool_names::seen_names {
  seen_names(const tool_set& kept, const std::map<identity, std::string>& gone) {
    for (const auto& each : kept.tools)
      add(identity_of(each), each.name);
    for (const auto& [which, name] : gone)
      add({which.first, which.second}, name);
  }

  void add(view_of_identity which, std::string_view name) {
    names.emplace(which, name);
    taken.insert(name);
  }

  std::map<view_of_identity, std::string_view> names;
  std::unordered_set<std::string_view> taken;
};

const frozen<tool_set>& tool_names::keep(const frozen<tool_set>& fresh) {
  if (&*fresh == &*asked_) // the hub makes one set per change of the index
    return kept_;
  seen_names seen{*kept_, gone_};
  auto next = agrees(*fresh, seen) ? fresh : frozen<tool_set>{renamed(*fresh, seen)};
  remember_gone(*next);
  asked_ = fresh;
  kept_ = std::move(next);
  return kept_;
}

bool tool_names::agrees(const tool_set& fresh, const seen_names& seen) const {
  return std::all_of(fresh.tools.begin(), fresh.tools.end(), [&](const auto& tool) {
    auto known = seen.names.find(identity_of(tool));
    return known == seen.names.end() ? !seen.taken.contains(tool.name) : known->second == tool.name;
  });
}

tool_set tool_names::renamed(const tool_set& fresh, const seen_names& seen) const {
  auto made = fresh;
  std::unordered_set<std::string> taken;
  for (auto each : seen.taken)
    taken.emplace(each);
  std::vector<tool_definition*> homeless;
  for (auto& tool : made.tools) {
    if (auto known = seen.names.find(identity_of(tool)); known != seen.names.end())
      tool.name = known->second;
    else if (!taken.insert(tool.name).second)
      homeless.push_back(&tool);
  }
  for (auto* tool : homeless) {
    tool->name = free_name(model_tool_name(tool->server + '_' + tool->server_tool), taken);
    taken.insert(tool->name);
  }
  std::sort(made.tools.begin(), made.tools.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return made;
}

void tool_names::remember_gone(const tool_set& next) {
  std::set<view_of_identity> here;
  for (const auto& each : next.tools) {
    here.insert(identity_of(each));
    gone_.erase({each.server, each.server_tool});
  }
  for (const auto& each : kept_->tools)
    if (gone_.size() < max_gone && !here.contains(identity_of(each)))
      gone_.emplace(identity{each.server, each.server_tool}, each.name);
}

} // namespace troupe
