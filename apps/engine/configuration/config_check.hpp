// Checks of a configuration, from a file or a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/engine/config.hpp"

namespace troupe {

/// Returns what is wrong with an API key, which goes into a header, or "".
std::string_view api_key_fault(std::string_view key);

/// Checks the MCP servers as check_config does, and their numbers; fills in missing transports.
/// @return config_invalid ("mcpServers.a: command is missing: ..."), or no error
failure check_servers(std::vector<mcp_server_config>& servers);

/// Shortens times with which a clock would overflow.
void bound_times(engine_config& config);

/// Returns model_unknown, with the models that there are, unless `model` is a key of them or empty.
failure check_model_name(const engine_config& config, const std::string& model);

} // namespace troupe
