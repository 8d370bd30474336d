#include "actors/tools_index.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_set>

#include <fmt/format.h>

namespace troupe {

namespace {

constexpr size_t max_name = 64;

bool allowed(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
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

} // namespace

std::string model_tool_name(std::string_view name) {
  std::string clean{name};
  std::replace_if(
      clean.begin(), clean.end(), [](char c) { return !allowed(c); }, '_');
  if (clean == name && !clean.empty() && clean.size() <= max_name)
    return clean;
  return with_hash(clean, name);
}

std::vector<tool_definition> index_tools(const std::vector<const server_status*>& servers) {
  std::vector<tool_definition> index;
  std::unordered_set<std::string> taken;
  for (const auto* server : servers) {
    for (const auto& tool : server->offered->tools) {
      auto name = model_tool_name(tool.name);
      if (taken.contains(name))
        name = model_tool_name(server->name + '_' + tool.name);
      if (taken.contains(name))
        name = with_hash(name, server->name + '\0' + tool.name);
      if (!taken.insert(name).second)
        continue; // the server lists the tool twice
      index.push_back(
          {std::move(name), tool.description, tool.input_schema, server->name, tool.name});
    }
  }
  std::sort(index.begin(), index.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return index;
}

} // namespace troupe
