// What turns see of the tools index, made once and shared.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "actors/mcp_hub/tools_index.hpp"
#include "messages/frozen.hpp"
#include "messages/mcp/tool_messages.hpp"

namespace troupe {

/// The tools index, and one tool_set per choice of servers, made when first asked for
/// and kept until the index changes; at most 64 are kept. Not thread safe.
class tool_sets {
public:
  /// @param always_prefix as for index_tools
  explicit tool_sets(bool always_prefix = false) : always_prefix_{always_prefix} {}

  /// The servers' tools are not what they were; costs nothing until the next get().
  void invalidate();

  /// Returns whether index() is due before the next get().
  bool stale() const noexcept { return stale_; }

  /// Names all tools anew. @param sources in the order of the configuration
  void index(const std::vector<tool_source>& sources);

  /// Returns the tools that `ask` chooses. Sets with the same version are the same.
  const frozen<tool_set>& get(const list_tools& ask);

private:
  tool_set make(const list_tools& ask);

  bool always_prefix_;
  bool stale_ = true;
  std::vector<tool_definition> index_;
  std::map<std::string, frozen<tool_set>> sets_; ///< by choice
  uint64_t version_ = 0;                         ///< of the newest set
};

} // namespace troupe
