// How an event_range gets its events: as messages to a blocking actor of its own.
#pragma once

#include <caf/scoped_actor.hpp>

#include "apps/engine/event_range.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// A subscriber's mailbox, read by the thread of the range's user.
struct event_range::impl {
  impl(caf::actor_system& system, turn_request request);
  impl(caf::actor_system& system, watch_turn request);
  ~impl();

  caf::scoped_actor self;
  subscriber_actor subscriber;
  event_batch current;
  bool full = false; ///< a batch has come: the next one has to be asked for
  bool over = false;
};

} // namespace troupe
