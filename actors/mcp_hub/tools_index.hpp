// The names under which models see the tools of all servers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/tool_definition.hpp"
#include "messages/mcp/mcp_config.hpp"
#include "messages/mcp/server_offer.hpp"

namespace troupe {

/// What one configured server puts into the index.
struct tool_source {
  std::string_view server;
  const server_tools* known = nullptr; ///< its last complete list; not null
  bool offered = false; ///< false: the server is down; its names stay taken, nothing is shown
  const mcp_server_config* config = nullptr; ///< says what waits for no approval; null: nothing
};

/// Returns the tools that `sources` offer as a model sees them, sorted by name.
///
/// Names match ^[A-Za-z0-9_-]{1,64}$, which OpenAI and Anthropic take, and are unique. A tool keeps
/// its own name where that is free, else it gets "server_tool"; a name that had to be changed, cut
/// or told from another one ends in '_' and 8 hex digits made of the original.
///
/// Who gets a name is decided by the order of `sources`, that of the configuration: a tool's name
/// depends on nothing but its own server's tools and those of the servers before it, in whatever
/// order a server lists them. A server that is down keeps its names, as far as its tools were ever
/// known. Before an earlier server was connected for the first time a later one can hold a plain
/// name that it then gives up; with `always_prefix` every tool gets "server_tool" at once.
std::vector<tool_definition> index_tools(const std::vector<tool_source>& sources,
                                         bool always_prefix = false);

} // namespace troupe
