// A turn that waits until its chat is loaded.
#pragma once

#include <string>
#include <utility>

#include "messages/chat/turn_messages.hpp"
#include "messages/store/conversation.hpp"

namespace troupe {

/// Plain data with the few rules about it. Not thread safe; a part of chat_persistence.
struct loading_turn {
  explicit loading_turn(start_turn begins) : ask{std::move(begins)} {}

  start_turn ask;
  std::string aborted = {}; ///< the reason; it ends as soon as it has begun. "" = it continues
  bool left = false;        ///< its client has left and takes it along
  turn_record row = {};     ///< sent with the load, saved if the chat is new; no id: not sent
  bool begun = false;       ///< the store has its row and its messages
  bool is_again = false;    ///< it began before, with an old version of its chat

  /// Returns whether the store may have the beginning of the turn.
  bool was_sent() const noexcept { return !row.turn_id.empty(); }

  void abort(const abort_turn& by) {
    if (by.turn_id.empty() || by.turn_id == ask.request.turn_id)
      aborted = by.reason;
  }

  /// The client has left. As in a turn that runs: a resumable turn continues. Returns whether the
  /// turn is given up at once; a turn that the store may have ends in order.
  bool client_left() noexcept {
    if (ask.request.options.resumable)
      return false;
    left = was_sent();
    return !left;
  }
};

} // namespace troupe
