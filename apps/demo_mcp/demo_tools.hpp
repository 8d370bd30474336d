// The tools of the demo server: each shows one way in which a tool can behave.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace troupe::demo {

/// The params of one request, parsed. Places are JSON pointers: "/arguments/message".
class json_params {
public:
  /// @param text JSON text; what is no JSON has no values
  explicit json_params(std::string_view text);
  ~json_params();
  json_params(const json_params&) = delete;
  json_params& operator=(const json_params&) = delete;

  /// Each returns false, and leaves `out` as it is, when there is no such value of that type.
  bool get(std::string_view place, std::string& out) const;
  bool get(std::string_view place, double& out) const;
  bool get(std::string_view place, uint64_t& out) const;

  /// Returns whether there is any value but null.
  bool has(std::string_view place) const;

  /// Returns the value as JSON text, "" if there is none.
  std::string raw(std::string_view place) const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

/// The outcome of a tool call.
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
