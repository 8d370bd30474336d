// The part of a session's state that is about the store of conversations.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "actors/session/save_book.hpp"
#include "messages/interfaces/interfaces.hpp"

namespace troupe {

/// What a session knows of the store, and what it can do only when that has answered. Plain data.
struct session_keeping {
  /// A turn that waits for the chat to be loaded.
  struct waiting_start {
    start_turn ask;
    subscriber_actor client;  ///< empty: it has left
    std::string aborted = {}; ///< why it is to end as soon as it has begun; empty: it is not
    bool left = false;        ///< its client has, and takes it along
    turn_record row = {}; ///< as the store keeps it if the chat is new; turn_id is empty: it is not
  };

  /// One who wants to see the turn.
  struct waiting_viewer {
    subscriber_actor who;
    watch_turn ask;
  };

  /// What is left to be done with a turn that is over.
  struct turn_end {
    turn_report report;
    std::vector<event> held; ///< the turn's last events, until it is saved
  };

  bool on = false;               ///< the running turn is kept, or what is unsaved of the last one
  bool loaded = false;           ///< the history is the store's, and what came since
  bool loading = false;          ///< it was asked for
  bool outdated = false;         ///< the conversation is another: it is loaded again
  bool told_unsaved = false;     ///< the hub was told that something is unsaved
  bool begun = false;            ///< the row and messages of the turn that begins are in the store
  std::unique_ptr<turn_end> end; ///< of the turn that is over
  save_book book;

  std::unique_ptr<waiting_start> start;
  std::vector<waiting_viewer> viewers;
  uint64_t version = 0; ///< of the conversation, as far as the session has heard
  chat_overrides overrides;
  turn_record row; ///< of the running turn, or of the last one
};

} // namespace troupe
