// Changing the MCP servers of a configuration file without touching the rest of it.
#pragma once

#include <string>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe {

/// Sets, or with an empty `entry` removes, one entry of `mcpServers` in a configuration's text. All
/// other members stay byte for byte, and comments stay where they are.
/// @param entry JSON text of an object
/// @return config_invalid if the text is no configuration, server_unknown if there is nothing to
/// remove
failure change_mcp_server(std::string& config, std::string_view server, std::string_view entry);

/// Returns the entry of a server; "" if there is none.
std::string mcp_server_entry(std::string_view config, std::string_view server);

/// Returns an entry with its `enabled` set; `disabled` and `isActive`, which some write instead,
/// are dropped.
std::string with_enabled(std::string_view entry, bool enabled);

/// Replaces a file in one step; a reader sees the old text or the new one. Mode and owner stay.
failure write_settings(const std::string& path, std::string_view text);

/// Reads a file; a missing one is "{}".
failure read_settings(const std::string& path, std::string& text);

} // namespace troupe
