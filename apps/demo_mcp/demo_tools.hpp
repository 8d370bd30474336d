// The tools of the demo server: each shows one way in which a tool can behave.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "apps/demo_mcp/json_params.hpp"

namespace troupe::demo {

/// What a tool does when it is called.
struct tool_outcome {
  std::string text;
  bool is_error = false;
  bool answers = true;                   ///< false: never
  uint64_t steps = 0;                    ///< progress notifications before the answer
  std::chrono::milliseconds interval{0}; ///< before each step; without steps, before the answer
};

/// One tool as tools/list shows it.
struct demo_tool {
  std::string_view name;
  std::string_view description;
  std::string_view schema; ///< JSON text
  tool_outcome (*run)(const json_params& params);
};

/// Returns all tools, in the order of tools/list.
std::span<const demo_tool> all_tools();

/// Returns the tool with that name, or nullptr.
const demo_tool* find_tool(std::string_view name);

} // namespace troupe::demo
