#include "messages/mcp/tool_pattern.hpp"

#include <algorithm>

namespace troupe {

bool fits_pattern(std::string_view pattern, std::string_view name) {
  size_t at = 0;
  size_t star = pattern.npos; // the last one met; from `behind` on the name is tried behind it
  size_t behind = 0;
  for (size_t i = 0; i < name.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      behind = i;
    } else if (at < pattern.size() && pattern[at] == name[i]) {
      ++at;
      ++i;
    } else if (star != pattern.npos) {
      at = star + 1;
      i = ++behind;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == pattern.npos;
}

bool fits_any(const std::vector<std::string>& patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [name](const auto& each) { return fits_pattern(each, name); });
}

bool chooses_tool(const std::vector<std::string>& choice, std::string_view server,
                  std::string_view tool) {
  return std::any_of(choice.begin(), choice.end(), [&](std::string_view each) {
    return each == server ||
           (is_about(each, server) && fits_pattern(each.substr(server.size() + 1), tool));
  });
}

bool is_about(std::string_view element, std::string_view server) {
  return element.starts_with(server) &&
         (element.size() == server.size() || element[server.size()] == '/');
}

} // namespace troupe
