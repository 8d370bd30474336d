// A tool that a model may call.
#pragma once

#include <string>

#include "messages/fields.hpp"

namespace troupe {

/// One tool as the model sees it, and where its calls go.
struct tool_definition {
  std::string name; ///< at most 64 of [A-Za-z0-9_-], unique within a snapshot
  std::string description;
  std::string input_schema; ///< JSON text of an object
  std::string server;       ///< the MCP server's configured name; empty: the client runs it
  std::string server_tool;  ///< the tool's name on that server
  bool strict = false;      ///< the model is to keep exactly to the schema
  std::string title = {};   ///< for people, as the server gives it; may be empty
  bool approved = false;    ///< its calls wait for no approval that is configured
  bool read_only = false;   ///< its server says that it changes nothing, as it always has

  static constexpr auto fields(auto...) {
    return std::make_tuple(
        field("name", &tool_definition::name), field("description", &tool_definition::description),
        field("inputSchema", &tool_definition::input_schema),
        field("server", &tool_definition::server),
        field("serverTool", &tool_definition::server_tool),
        field("strict", &tool_definition::strict), field("title", &tool_definition::title),
        field("approved", &tool_definition::approved),
        field("readOnly", &tool_definition::read_only));
  }
};

} // namespace troupe
