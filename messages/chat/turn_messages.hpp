// Messages between the actors of a turn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/chat/model_messages.hpp"
#include "messages/chat/turn_request.hpp"
#include "messages/chat/viewer_messages.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// Asks for a turn; its events go to the sender.
struct start_turn {
  turn_request request;
  uint32_t credit = 0; ///< events that may be sent before a grant_credit
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("request", &start_turn::request),
                           field("credit", &start_turn::credit));
  }
};

/// The turn will not be run; nothing else comes.
struct turn_refused {
  errc error = errc::internal;
  std::string error_text;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("error", &turn_refused::error),
                           field("error_text", &turn_refused::error_text));
  }
};

/// Stops a running turn; no effect when it is over.
struct abort_turn {
  std::string session_id;
  std::string turn_id; ///< empty: the running turn
  std::string reason;  ///< of abort_event
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &abort_turn::session_id),
                           field("turn_id", &abort_turn::turn_id),
                           field("reason", &abort_turn::reason));
  }
};

/// Answers the tool_approval_requests of a running turn; an unknown id has no effect.
struct answer_approvals {
  std::string session_id;
  std::vector<tool_approval> approvals;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &answer_approvals::session_id),
                           field("approvals", &answer_approvals::approvals));
  }
};

/// A session tells its hub that its turn is over.
struct turn_ended {
  std::string session_id;
  bool unsaved = false; ///< the store failed: the session must live until chat_saved
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &turn_ended::session_id),
                           field("unsaved", &turn_ended::unsaved));
  }
};

/// A session tells its hub of rounds of tools that its client was not told of: the turn has ended
/// for the client's own tools, and its history comes back without them.
struct hidden_rounds {
  std::string session_id;
  std::string question;               ///< text of the last message of the user before them
  std::vector<chat_message> messages; ///< answers and results; calls of the client have none
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &hidden_rounds::session_id),
                           field("question", &hidden_rounds::question),
                           field("messages", &hidden_rounds::messages));
  }
};

/// A session tells its hub that what turn_ended or expire_refused called unsaved is saved.
struct chat_saved {
  std::string session_id;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &chat_saved::session_id));
  }
};

/// A session tells its hub that it cannot end yet: something is unsaved.
struct expire_refused {
  std::string session_id;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &expire_refused::session_id));
  }
};

/// Numbers of a session_hub.
struct session_counts {
  uint64_t sessions = 0;
  uint64_t running_turns = 0;
  uint64_t turns = 0;    ///< accepted since the start
  bool draining = false; ///< no new turns
  bool cut_off = false;  ///< no new turns: the node of a cluster has lost its database
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("sessions", &session_counts::sessions),
                           field("runningTurns", &session_counts::running_turns),
                           field("turns", &session_counts::turns),
                           field("draining", &session_counts::draining),
                           field_when_given("cutOff", &session_counts::cut_off));
  }
};

} // namespace troupe
