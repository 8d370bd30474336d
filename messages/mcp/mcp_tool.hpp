// A tool of an MCP server (specification 2025-11-25, server/tools).
#pragma once

#include <cstdint>
#include <string>

#include "messages/fields.hpp"
#include "messages/raw_json.hpp"

namespace troupe::mcp {

/// Whether a tool may, must or must not be called as a task.
enum class task_support : uint8_t { forbidden, optional, required };

std::string to_string(task_support what);

/// One tool as its server describes it.
struct tool {
  std::string name;
  std::string title;
  std::string description;
  raw_json input_schema;  ///< an object, byte for byte as received
  raw_json output_schema; ///< empty if absent
  raw_json annotations;   ///< empty if absent; hints of the server, not to be trusted
  raw_json icons;         ///< empty if absent
  raw_json meta;          ///< `_meta`; empty if absent
  task_support as_task = task_support::forbidden;
  bool repeatable = false; ///< readOnlyHint or idempotentHint is true

  static constexpr auto fields(auto...) {
    return std::make_tuple(
        field("name", &tool::name), field("title", &tool::title),
        field("description", &tool::description), field("inputSchema", &tool::input_schema),
        field("outputSchema", &tool::output_schema), field("annotations", &tool::annotations),
        field("icons", &tool::icons), field("_meta", &tool::meta),
        field("taskSupport", &tool::as_task), field("repeatable", &tool::repeatable));
  }
};

} // namespace troupe::mcp
