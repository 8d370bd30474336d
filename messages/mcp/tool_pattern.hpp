// Choices of tools by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Returns whether a name fits a pattern, in which '*' stands for any characters, also none.
bool fits_pattern(std::string_view pattern, std::string_view name);

/// Returns whether a name fits one of the patterns.
bool fits_any(const std::vector<std::string>& patterns, std::string_view name);

/// Returns whether a list of "SERVER", "SERVER/TOOL" and "SERVER/PATTERN" chooses a server's tool.
bool chooses_tool(const std::vector<std::string>& choice, std::string_view server,
                  std::string_view tool);

/// Returns whether one element of such a list is about the server.
bool is_about(std::string_view element, std::string_view server);

} // namespace troupe
