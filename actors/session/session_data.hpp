// What a session knows; what it does is in session_state.hpp.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <caf/all.hpp>

#include "actors/alarm_clock.hpp"
#include "actors/session/chat_persistence.hpp"
#include "actors/session/merged_tools.hpp"
#include "actors/session/session.hpp"
#include "actors/session/tool_names.hpp"
#include "actors/session/turn_viewers.hpp"
#include "actors/turn/approval_book.hpp"
#include "actors/turn/turn.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"

namespace troupe {

/// The members of session_state. Idle sessions are many: with what CAF adds one just fits
/// into the 2048 bytes that the allocator gives it.
struct session_data {
  /// A result that is being written to a file.
  struct spilling {
    std::string turn_id;
    tool_outcome outcome; ///< without its text
    std::string head;
    size_t size = 0; ///< of the text, bytes
  };

  /// One who wants to see the turn, when the chat is loaded.
  struct waiting_viewer {
    subscriber_actor who;
    watch_turn ask;
  };

  explicit session_data(handover_session_actor::pointer ptr) : self{ptr} {}

  // What each token touches comes first, and together: among thousands of chats none is in a cache
  // when its next token arrives.
  handover_session_actor::pointer self;
  std::unique_ptr<turn> current; ///< while one runs: it is large, and idle sessions are many
  model_stream_actor stream;
  std::shared_ptr<const chat_settings> config;
  uint32_t model_requests = 0; ///< so far
  bool paused = false;
  bool prompting = false;  ///< the turn waits for a prompt
  bool attaching = false;  ///< the turn waits for the resource store
  bool has_extras = false; ///< whether anything is attached in the history
  turn_viewers viewers{self};
  chat_persistence persistence;

  session_hub_actor hub;
  std::string session_id;
  std::vector<chat_message> history;
  subscriber_actor waiting_client; ///< of the turn that waits; empty: it has left
  std::vector<waiting_viewer> waiting_viewers;
  std::string last_message_id;       ///< of the assistant's message that a turn can go on with
  approval_book approvals;           ///< asked for by the turn before
  std::vector<planned_call> resumed; ///< with them the next turn begins
  merged_tools own_tools;
  alarm_clock alarm; ///< for the deadlines of calls and approvals
  tool_names names;
  std::map<std::string, model_config>::const_iterator model;
};

} // namespace troupe
