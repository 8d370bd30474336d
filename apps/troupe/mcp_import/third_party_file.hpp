// The MCP servers in files of other programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"

namespace troupe {

/// One server, in our words.
struct imported_server {
  std::string name;
  std::string entry;              ///< JSON text: an entry of `mcpServers`
  std::vector<std::string> notes; ///< what changed
};

/// The content of a file.
struct imported_file {
  std::string form; ///< whose it is, by its shape: "VS Code", "OpenCode", ...
  std::vector<imported_server> servers;
  std::vector<std::string> left_out; ///< "NAME: why" of entries that no server can be made of
};

/// Reads a file of Claude Desktop or Code, Cursor, VS Code, Windsurf, Gemini CLI, LibreChat, Zed,
/// Continue, OpenCode or their relatives: JSON, with comments, or YAML. A server that its program
/// shuts out is not enabled. Any thread.
/// @param path of the file; its name says whose it is where the content does not
/// @return config_invalid, with the place or what was looked for; or no error
failure read_third_party_file(std::string_view text, imported_file& out,
                              std::string_view path = {});

} // namespace troupe
