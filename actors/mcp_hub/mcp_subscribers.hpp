// Who is told what changes among MCP servers.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>

#include <caf/actor_addr.hpp>
#include <caf/execution_unit.hpp>

#include "messages/interfaces/mcp_interfaces.hpp"
#include "messages/mcp/mcp_messages.hpp"

namespace troupe {

/// The watchers of a hub. Not thread safe.
class mcp_subscribers {
public:
  static constexpr size_t limit = 256;

  /// Adds a watcher, or changes what it said.
  /// @return false at the limit; then it is not added
  bool add(mcp_subscriber_actor who, watch_mcp how);

  void remove(const caf::actor_addr& who);

  bool contains(const caf::actor_addr& who) const { return watchers_.count(who) > 0; }

  /// Returns whether nobody would read an event.
  bool empty() const noexcept { return watchers_.empty(); }

  /// Returns whether one of them answers questions of a chat.
  /// @param owner of the chat; empty: of a chat in single-user mode, or of no chat
  bool can_answer(std::string_view owner) const;

  /// Sends `news` to all of them, one copy for all. @param from the hub
  void tell(mcp_hub_actor::pointer from, mcp_event news, bool only_answering = false) const;

private:
  struct watcher {
    mcp_subscriber_actor who;
    watch_mcp how;
  };
  std::map<caf::actor_addr, watcher> watchers_;
};

} // namespace troupe
