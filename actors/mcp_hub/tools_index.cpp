#include "actors/mcp_hub/tools_index.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <unordered_set>

#include <fmt/format.h>

namespace troupe {

namespace {

constexpr size_t max_name = 64;

bool allowed(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

bool is_model_name(std::string_view name) {
  return !name.empty() && name.size() <= max_name && std::all_of(name.begin(), name.end(), allowed);
}

/// FNV-1a, so that a changed name is the same in every process.
uint32_t hash_of(std::string_view text) {
  uint32_t hash = 2166136261u;
  for (unsigned char c : text)
    hash = (hash ^ c) * 16777619u;
  return hash;
}

std::string with_hash(std::string_view clean, std::string_view original) {
  return fmt::format("{}_{:08x}", clean.substr(0, max_name - 9), hash_of(original));
}

/// The tools of a server without its repetitions, in an order that does not hang on how the server
/// lists them; those that may keep their name come first, so that no changed name takes it.
std::vector<const mcp::tool*> in_fixed_order(const server_tools& offer) {
  std::vector<std::tuple<bool, std::string_view, const mcp::tool*>> keyed;
  keyed.reserve(offer.tools.size());
  for (const auto& tool : offer.tools)
    keyed.emplace_back(!is_model_name(tool.name), tool.name, &tool);
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
      name = with_hash(prefixed, fmt::format("{}/{}/{}/{}", server.size(), server, tool, tries));
    return name;
  }

private:
  bool always_prefix_;
  std::unordered_set<std::string> taken_;
};

} // namespace

std::string model_tool_name(std::string_view name) {
  std::string clean{name};
  if (is_model_name(name))
    return clean;
  std::replace_if(
      clean.begin(), clean.end(), [](char c) { return !allowed(c); }, '_');
  return with_hash(clean, name);
}

std::vector<tool_definition> index_tools(const std::vector<tool_source>& sources,
                                         bool always_prefix) {
  std::vector<tool_definition> index;
  name_book names{always_prefix};
  for (const auto& source : sources)
    for (const auto* tool : in_fixed_order(*source.known)) {
      auto name = names.name_for(source.server, tool->name);
      if (source.offered)
        index.push_back({std::move(name), tool->description, tool->input_schema.text,
                         std::string{source.server}, tool->name});
    }
  std::sort(index.begin(), index.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return index;
}

} // namespace troupe
