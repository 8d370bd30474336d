// MCP initialize (specification 2025-11-25, basic/lifecycle).
#pragma once

#include <string>
#include <string_view>

#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe::mcp {

/// The revision we ask for, and the oldest we accept.
inline constexpr std::string_view latest_revision = "2025-11-25";

/// Returns whether we speak this revision (2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25).
bool speaks(std::string_view revision);

/// What a server says it can do.
struct server_capabilities {
  bool tools = false;
  bool resources = false;
  bool resources_subscribe = false;
  bool prompts = false;
  bool logging = false;
  bool completions = false;
  bool tasks = false;      ///< tasks/list and tasks/cancel may still be missing
  bool task_calls = false; ///< tools/call may be run as a task

  static constexpr auto fields() {
    using self = server_capabilities;
    return std::make_tuple(field("tools", &self::tools), field("resources", &self::resources),
                           field("resourcesSubscribe", &self::resources_subscribe),
                           field("prompts", &self::prompts), field("logging", &self::logging),
                           field("completions", &self::completions), field("tasks", &self::tasks),
                           field("taskCalls", &self::task_calls));
  }
};

/// What we declare; what is false is left out.
struct client_capabilities {
  bool roots = false;       ///< with listChanged
  bool sampling = false;    ///< with tools, and as tasks
  bool elicitation = false; ///< form and url, and as tasks
};

/// What a server says of itself.
struct initialize_result {
  std::string protocol_version;
  std::string server_name;
  std::string server_title;
  std::string server_version;
  std::string instructions;
  server_capabilities capabilities;
};

/// Returns the params of our initialize request. @param client_version our own version
std::string initialize_params(std::string_view client_version, const client_capabilities& declared);

/// Parses the result; fails with errc::server_protocol on a missing or unknown protocolVersion.
failure parse(std::string_view result, initialize_result& out);

} // namespace troupe::mcp
