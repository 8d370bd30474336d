// What turns see of the tools index, made once and shared.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "messages/server_messages.hpp"
#include "messages/tool_messages.hpp"

namespace troupe {

/// One tool_set per provider and choice of servers, until the index changes. Not thread safe.
class tool_sets {
public:
  /// Returns the tools that `ask` chooses of all `servers`, rendered for its provider.
  const frozen<tool_set>& get(const list_tools& ask,
                              const std::vector<const server_status*>& servers);

  /// The index changed: the next get() makes a set of a new version.
  void invalidate();

private:
  std::map<std::string, frozen<tool_set>> sets_;
  uint64_t version_ = 0;
};

} // namespace troupe
