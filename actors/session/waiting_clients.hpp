// The clients that wait until a session's chat is loaded, or claimed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <caf/actor_addr.hpp>

#include "actors/session/loading_turn.hpp"
#include "messages/chat/viewer_messages.hpp"
#include "messages/interfaces/interfaces.hpp"

namespace troupe {

/// A turn that begins once more if its chat turns out to be another one than the session has.
struct unclaimed_turn {
  start_turn ask;
  subscriber_actor client; ///< empty: it has left
};

/// Plain data with the few rules about it. Not thread safe; lives in a session_state.
struct waiting_clients {
  /// One who wants to see the turn.
  struct viewer {
    subscriber_actor who;
    watch_turn ask;
  };

  subscriber_actor owner; ///< of the turn that waits; empty: it has left
  std::vector<viewer> viewers;
  std::unique_ptr<unclaimed_turn> unclaimed; ///< of the turn that runs; nullptr: it begins for good

  bool is_owner(const caf::actor_addr& who) const { return owner && owner == who; }

  /// Takes credit that comes early. @param turn that waits; nullptr: none does
  void grant(const caf::actor_addr& who, uint32_t events, loading_turn* turn) {
    if (turn != nullptr && is_owner(who))
      turn->ask.credit += events;
    for (auto& each : viewers)
      if (each.who == who)
        each.ask.credit += events;
  }

  /// Forgets a client that has left. Returns whether it was the owner.
  bool remove(const caf::actor_addr& who) {
    std::erase_if(viewers, [&](const auto& each) { return each.who == who; });
    if (!is_owner(who))
      return false;
    owner = nullptr;
    return true;
  }
};

} // namespace troupe
