// Capabilities of the two sides of an MCP connection (specification 2025-11-25, basic/lifecycle).
#pragma once

#include "messages/fields.hpp"

namespace troupe::mcp {

/// The capabilities that a server declares.
struct server_capabilities {
  bool tools = false;
  bool resources = false;
  bool resources_subscribe = false;
  bool prompts = false;
  bool logging = false;
  bool completions = false;
  bool tasks = false;      ///< tasks/list and tasks/cancel may still be missing
  bool task_calls = false; ///< tools/call may be run as a task

  static constexpr auto fields(auto...) {
    using self = server_capabilities;
    return std::make_tuple(field("tools", &self::tools), field("resources", &self::resources),
                           field("resourcesSubscribe", &self::resources_subscribe),
                           field("prompts", &self::prompts), field("logging", &self::logging),
                           field("completions", &self::completions), field("tasks", &self::tasks),
                           field("taskCalls", &self::task_calls));
  }
};

/// The capabilities that we declare; false ones are left out.
struct client_capabilities {
  bool roots = false;       ///< with listChanged
  bool sampling = false;    ///< with tools, and as tasks
  bool elicitation = false; ///< form and url, and as tasks
};

} // namespace troupe::mcp
