// A turn that is over, whose end is not told before it is saved.
#pragma once

#include <vector>

#include "messages/chat/events.hpp"
#include "messages/chat/turn_messages.hpp"

namespace troupe {

/// Plain data with the few rules about it. Not thread safe; a part of chat_persistence.
struct ending_turn {
  turn_report report = {};
  std::vector<event> held = {}; ///< tell of the end; until it is saved

  /// Moves the events that tell of the end out of `events`. @param all the others, too
  void hold(std::vector<event>& events, bool all);

  /// The end cannot be saved: what is held says so in its place. Returns false if nothing is held,
  /// because it had failed before.
  bool fail(const failure& why);
};

} // namespace troupe
