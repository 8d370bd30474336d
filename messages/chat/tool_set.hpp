// The tools of a turn, and what they are in the JSON of a model's provider.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/tool_definition.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// Tools as the JSON of providers: made when a request first needs them, then kept for all who
/// share the set. A copy begins empty, because its tools may be changed. Any thread.
class rendered_tools {
public:
  /// A provider's way to write tools; gives the same bytes for the same tools.
  using render = std::string (*)(const std::vector<tool_definition>&);

  rendered_tools() = default;
  ~rendered_tools() = default;
  rendered_tools(const rendered_tools&) noexcept : rendered_tools() {}
  rendered_tools& operator=(const rendered_tools& other) noexcept;

  /// Returns what `how` makes of `tools`, which are always the same; valid as long as this lives.
  const std::string& get(render how, const std::vector<tool_definition>& tools) const;

private:
  mutable std::mutex mutex_;
  mutable std::map<render, std::string> made_;
};

/// The tools that a turn sees. Shared as a frozen<tool_set>: one for all turns that see the same.
struct tool_set {
  uint64_t version = 0;               ///< changes with every change of the index
  std::vector<tool_definition> tools; ///< sorted by name
  rendered_tools rendered = {};       ///< does not travel: another node makes its own

  /// Returns the tool that the model calls `name`, or nullptr.
  const tool_definition* find(std::string_view name) const;

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("version", &tool_set::version), field("tools", &tool_set::tools));
  }
};

/// Returns the client's tools of a set, and of those of servers the first ones: `most` in all, or
/// as many as the client has.
tool_set fewer_tools(const tool_set& all, size_t most);

} // namespace troupe
