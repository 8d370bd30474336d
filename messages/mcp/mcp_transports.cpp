#include "messages/mcp/mcp_transports.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace troupe {

const mcp_transport* find_transport(std::string_view type) {
  for (const auto& row : mcp_transports)
    if (!type.empty() &&
        (row.type == type || std::ranges::find(row.aliases, type) != row.aliases.end()))
      return &row;
  return nullptr;
}

std::string transport_types() {
  std::string out;
  for (const auto& row : mcp_transports) {
    const auto is_last = &row == &mcp_transports.back();
    out += fmt::format("{}\"{}\"", out.empty() ? "" : is_last ? " or " : ", ", row.type);
  }
  return out;
}

} // namespace troupe
