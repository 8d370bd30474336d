#include "messages/chat/tool_name.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace troupe {

namespace {

constexpr size_t max_name = 64;

bool allowed(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

/// FNV-1a: unlike std::hash it gives the same name in every process.
uint32_t hash_of(std::string_view text) {
  uint32_t hash = 2166136261u;
  for (unsigned char c : text)
    hash = (hash ^ c) * 16777619u;
  return hash;
}

} // namespace

bool is_model_tool_name(std::string_view name) {
  return !name.empty() && name.size() <= max_name && std::all_of(name.begin(), name.end(), allowed);
}

std::string hashed_tool_name(std::string_view clean, std::string_view original) {
  return fmt::format("{}_{:08x}", clean.substr(0, max_name - 9), hash_of(original));
}

std::string model_tool_name(std::string_view name) {
  std::string clean{name};
  if (is_model_tool_name(name))
    return clean;
  std::replace_if(
      clean.begin(), clean.end(), [](char c) { return !allowed(c); }, '_');
  return hashed_tool_name(clean, name);
}

} // namespace troupe
