// The offer of a connected MCP server, as of its last complete lists.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/fields.hpp"
#include "messages/frozen.hpp"
#include "messages/mcp/mcp_prompt.hpp"
#include "messages/mcp/mcp_resource.hpp"
#include "messages/mcp/mcp_tool.hpp"

namespace troupe {

/// One complete tools/list.
struct server_tools {
  std::vector<mcp::tool> tools;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("tools", &server_tools::tools));
  }
};

/// One complete resources/list and resources/templates/list.
struct server_resources {
  std::vector<mcp::resource> resources;
  std::vector<mcp::resource_template> templates;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("resources", &server_resources::resources),
                           field("templates", &server_resources::templates));
  }
};

/// One complete prompts/list.
struct server_prompts {
  std::vector<mcp::prompt> prompts;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("prompts", &server_prompts::prompts));
  }
};

/// One line of a connection's log.
struct server_log_line {
  int64_t time_ms = 0; ///< since the epoch
  std::string text;
  uint32_t times = 1; ///< how often in a row
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("timeMs", &server_log_line::time_ms),
                           field("text", &server_log_line::text),
                           field("times", &server_log_line::times));
  }
};

/// The last lines of the log, oldest first; at most 100.
struct server_log {
  std::vector<server_log_line> lines;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("lines", &server_log::lines));
  }
};

} // namespace troupe
