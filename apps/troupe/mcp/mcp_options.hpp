// The command line of `troupe mcp`.
#pragma once

#include <string>
#include <vector>

#include "apps/troupe/engine_options.hpp"

namespace troupe {

/// All options of all verbs; each verb reads its own.
struct mcp_options {
  engine_options engine;
  std::string url;         ///< of a running `troupe serve`; empty = an engine of our own
  bool json = false;       ///< print what the server said, for programs
  bool interactive = true; ///< answer what MCP servers ask, at the terminal
  std::string server;      ///< key of `mcpServers`
  std::string name;        ///< a tool, a prompt, a method, or an argument to be completed
  std::string uri;
  std::string value;                  ///< typed part of an argument to be completed; or a log level
  std::string arguments;              ///< JSON
  std::vector<std::string> pairs;     ///< name=value
  std::string prompt;                 ///< complete: of this prompt
  bool as_task = false;               ///< call as an MCP task
  std::string session;                ///< a chat's id
  std::vector<std::string> command;   ///< add: a program and its arguments
  std::vector<std::string> variables; ///< add: NAME=VALUE for the program
  std::vector<std::string> fields;    ///< add: Name: value for HTTP
  std::string type;                   ///< add: transport
  std::string file;                   ///< import: of another program
  bool replace = false;               ///< import: servers that are there already
};

/// Checks a "NAME=VALUE" for CLI11. Returns the error, or "". The error does not quote the value,
/// which can be a secret.
std::string name_and_value(const std::string& given);

/// Checks a "Name: text" likewise.
std::string name_and_text(const std::string& given);

} // namespace troupe
