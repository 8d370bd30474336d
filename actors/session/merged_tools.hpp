// The tools that a client brings with its requests, beside those of the MCP servers.
#pragma once

#include <vector>

#include "messages/mcp/tool_messages.hpp"

namespace troupe {

/// Makes one set of the tools that a session has and those of its client. Not thread safe; lives in
/// a session.
///
/// Where both have a tool of the same name, the client's counts for that turn: the client asked for
/// it, and a call then reaches no server. The session's set is untouched, so that the server's tool
/// has its name back in a turn without the client's.
class merged_tools {
public:
  /// Returns `base` itself when the client has none, else both sorted by name; the very set of the
  /// last call while nothing has changed.
  /// @param own of several tools with one name the first counts
  const frozen<tool_set>& join(const frozen<tool_set>& base,
                               const std::vector<tool_definition>& own);

private:
  bool same(const frozen<tool_set>& base, const std::vector<tool_definition>& own) const;

  frozen<tool_set> base_;
  std::vector<tool_definition> own_;
  frozen<tool_set> joined_;
};

} // namespace troupe
