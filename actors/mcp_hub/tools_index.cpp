#include "actors/mcp_hub/tools_index.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include <fmt/format.h>

#include "messages/chat/tool_name.hpp"

namespace troupe {

namespace {

/// The tools of a server without its repetitions, in an order that does not hang on how the server
/// lists them; those that may keep their name come first, so that no changed name takes it.
std::vector<const mcp::tool*> in_fixed_order(const server_tools& offer) {
  std::vector<std::tuple<bool, std::string_view, const mcp::tool*>> keyed;
  keyed.reserve(offer.tools.size());
  for (const auto& tool : offer.tools)
    keyed.emplace_back(!is_model_tool_name(tool.name), tool.name, &tool);
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
  });
  std::vector<const mcp::tool*> tools;
  for (const auto& [changed, name, tool] : keyed)
    if (tools.empty() || tools.back()->name != name)
      tools.push_back(tool);
  return tools;
}

/// Gives out each name once.
class name_book {
public:
  explicit name_book(bool always_prefix) : always_prefix_{always_prefix} {}

  std::string name_for(std::string_view server, const std::string& tool) {
    if (!always_prefix_)
      if (auto own = model_tool_name(tool); taken_.insert(own).second)
        return own;
    auto full = fmt::format("{}_{}", server, tool);
    auto prefixed = model_tool_name(full);
    auto name = prefixed;
    // where the prefix ends is not to be seen in `full`, so that another tool may have the same
    for (int tries = 0; !taken_.insert(name).second; ++tries)
      name = hashed_tool_name(prefixed,
                              fmt::format("{}/{}/{}/{}", server.size(), server, tool, tries));
    return name;
  }

private:
  bool always_prefix_;
  std::unordered_set<std::string> taken_;
};

} // namespace

std::vector<tool_definition> index_tools(const std::vector<tool_source>& sources,
                                         bool always_prefix) {
  std::vector<tool_definition> index;
  name_book names{always_prefix};
  for (const auto& source : sources)
    for (const auto* tool : in_fixed_order(*source.known)) {
      auto name = names.name_for(source.server, tool->name);
      if (source.offered)
        index.push_back({std::move(name), tool->description, tool->input_schema.text,
                         std::string{source.server}, tool->name, false, tool->title,
                         source.config != nullptr && approves_tool(*source.config, tool->name)});
    }
  std::sort(index.begin(), index.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return index;
}

} // namespace troupe
