#include "messages/chat/tool_label.hpp"

#include <string_view>

#include <fmt/format.h>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

/// A server may call its tool whatever it likes, at any length.
constexpr size_t max_part = 240;

std::string_view part_of(std::string_view text) {
  return utf8_prefix(text, max_part);
}

} // namespace

bool is_disguised(const tool_definition& tool) {
  return !tool.server.empty() && tool.name != tool.server_tool &&
         tool.name.find(tool.server + '_' + tool.server_tool) == std::string::npos;
}

std::string label_of(const tool_definition& tool) {
  if (!is_disguised(tool))
    return {};
  auto own = part_of(tool.server_tool);
  auto title = part_of(tool.title);
  return title.empty() || title == own ? std::string{own} : fmt::format("{} ({})", title, own);
}

std::string description_of(const tool_definition& tool) {
  if (!is_disguised(tool))
    return tool.description;
  auto line = fmt::format("\"{}\" of the MCP server \"{}\"", part_of(tool.server_tool),
                          part_of(tool.server));
  if (!tool.title.empty() && tool.title != tool.server_tool)
    line += fmt::format(": {}", part_of(tool.title));
  return tool.description.empty() ? line : line + '\n' + tool.description;
}

} // namespace troupe
