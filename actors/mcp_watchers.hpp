// Who is told what changes among MCP servers.
#pragma once

#include <cstddef>
#include <map>

#include <caf/actor_addr.hpp>
#include <caf/execution_unit.hpp>

#include "messages/mcp_interfaces.hpp"

namespace troupe {

/// The watchers of a hub. Not thread safe.
class mcp_watchers {
public:
  static constexpr size_t limit = 256;

  /// Adds a watcher, or changes what it said.
  /// @param answers it is asked what servers ask of the client
  /// @return false at the limit; then it is not added
  bool add(mcp_watcher_actor who, bool answers);

  void remove(const caf::actor_addr& who);

  bool contains(const caf::actor_addr& who) const { return watchers_.count(who) > 0; }

  /// Returns whether nobody would read an event.
  bool empty() const noexcept { return watchers_.empty(); }

  /// Returns whether one of them answers.
  bool can_answer() const;

  /// Sends `news` to all of them, one copy for all. @param from the hub
  void tell(mcp_hub_actor::pointer from, mcp_event news, bool only_answering = false) const;

private:
  struct watcher {
    mcp_watcher_actor who;
    bool answers = false;
  };
  std::map<caf::actor_addr, watcher> watchers_;
};

} // namespace troupe
