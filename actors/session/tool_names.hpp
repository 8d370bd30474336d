// The names of tools that a chat has seen: they hold for its whole life.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "messages/mcp/tool_messages.hpp"

namespace troupe {

/// Keeps each tool under the name by which the model of one chat knows it, whatever the index calls
/// it later, and never gives that name to another tool. Not thread safe; lives in a session.
///
/// It costs a session next to nothing: what it remembers is the set that its last turn had, which
/// all sessions share, and besides only tools that are gone and sets that had to be changed.
class tool_names {
public:
  /// Returns `fresh` itself where it agrees with every name that was seen, else a set of the same
  /// tools under their old names, sorted. A new tool whose name is
  /// another's gets a free one, made of its server's and its own.
  const frozen<tool_set>& keep(const frozen<tool_set>& fresh);

  /// The most tools that are gone and keep their names. Names of more are free again.
  static constexpr size_t max_gone = 4096;

private:
  using identity = std::pair<std::string, std::string>; ///< server, its name for the tool

  struct seen_names;

  bool agrees(const tool_set& fresh, const seen_names& seen) const;
  tool_set renamed(const tool_set& fresh, const seen_names& seen) const;
  void remember_gone(const tool_set& next);

  frozen<tool_set> asked_;               ///< the set that keep() was last called with
  frozen<tool_set> kept_;                ///< what it returned
  std::map<identity, std::string> gone_; ///< names of tools that were in older sets, not in kept_
};

} // namespace troupe
