// The names under which models see the tools of all servers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/server_messages.hpp"
#include "messages/types.hpp"

namespace troupe {

/// Returns the tools of all `servers` as a model sees them, sorted by name.
/// Names are at most 64 of [A-Za-z0-9_-] and unique. A tool keeps its own name where that is free:
/// the order of `servers` (that of the configuration) decides who keeps it, all others get
/// "server_tool". A name that had to be changed or cut ends in '_' and 8 hex digits made of the
/// original.
std::vector<tool_definition> index_tools(const std::vector<const server_status*>& servers);

/// Returns `name` as providers take it (see index_tools).
std::string model_tool_name(std::string_view name);

} // namespace troupe
