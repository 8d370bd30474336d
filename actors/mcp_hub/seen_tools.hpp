// The tools of a server as they were when they were first seen.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "messages/mcp/server_offer.hpp"

namespace troupe {

/// Digests of the parts of a definition, in the order of tool_parts; "" of a part that is absent.
/// JSON has the same digest in whatever order its members stand.
using tool_digests = std::array<std::string, 5>;

/// The names of these parts, as MCP has them.
inline constexpr std::array<std::string_view, 5> tool_parts{"title", "description", "inputSchema",
                                                            "outputSchema", "annotations"};

/// Returns the digests of a definition: the first half of SHA-256 (FIPS 180-4), in hex.
tool_digests digests_of(const mcp::tool& tool);

/// Remembers the definition with which each tool was first seen. An automatic approval holds for
/// that one: its server may change it at any time. A tool that has left the list is remembered,
/// too. Not thread safe.
class seen_tools {
public:
  static constexpr size_t most = 2000; ///< further tools are none that was seen
  static constexpr size_t most_name_bytes = 256;

  /// A tool whose definition differs from the one before.
  struct change {
    std::string tool;
    std::string parts; ///< those that differ from the first definition; empty: it is that again
  };

  /// The differences of a list to those before.
  struct news {
    bool first = false; ///< it has tools that were never seen before
    std::vector<change> changed;
  };

  /// Takes a complete list; of two tools with one name the first counts.
  news take(const server_tools& offered);

  bool empty() const noexcept { return tools_.empty(); }

  /// Returns whether the tool is as it was when it was first seen.
  bool holds(std::string_view tool) const;

  /// Returns {"NAME":[DIGEST of each part],...}: the first definitions.
  std::string json() const;

  /// Replaces all by what json() made.
  void read(std::string_view json);

private:
  struct entry {
    tool_digests first;
    tool_digests now;
  };

  std::map<std::string, entry, std::less<>> tools_;
};

} // namespace troupe
