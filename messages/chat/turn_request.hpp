// A chat turn as a client asks for it.
#pragma once

#include <string>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/turn_options.hpp"
#include "messages/fields.hpp"
#include "messages/raw_json.hpp"

namespace troupe {

/// A prompt of an MCP server whose messages begin the turn.
struct prompt_reference {
  std::string server; ///< empty: no prompt
  std::string name;
  raw_json arguments; ///< object of strings; empty = none

  static constexpr auto fields(auto...) {
    using self = prompt_reference;
    return std::make_tuple(field("server", &self::server), field("name", &self::name),
                           field("arguments", &self::arguments));
  }
};

/// A client's answer to a call that needs its approval.
struct tool_approval {
  std::string approval_id; ///< of tool_approval_request
  bool approved = false;
  std::string reason; ///< why not; the model is told

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("approvalId", &tool_approval::approval_id),
                           field("approved", &tool_approval::approved),
                           field("reason", &tool_approval::reason));
  }
};

/// A chat turn as a client asks for it.
///
/// A turn that continues the last one (results of client-side tools, approvals) has tool messages
/// at the end of `messages`, or `approvals`, or both, and no new message of a user.
struct turn_request {
  std::string session_id; ///< the chat's id, scoped (session_id.hpp); 1 to 256 bytes of the client
  std::string turn_id;    ///< empty: the session makes one
  std::string message_id; ///< id of the assistant's message; empty: the session makes one, or
                          ///< takes that of the message it goes on with
  bool replaces_history = false;      ///< `messages` is the whole history, else it is appended
  std::vector<chat_message> messages; ///< the model answers the last one
  turn_options options;
  std::vector<tool_approval> approvals = {}; ///< answers to calls of the turn before
  prompt_reference prompt = {};              ///< its messages follow `messages`
  bool ephemeral = false; ///< the session ends with the turn, and nothing is stored

  /// Cuts the history before the message with this id, and then appends `messages`. Without
  /// `messages` the message that is now the last is answered again. request_invalid if the id is
  /// unknown.
  std::string cut_at = {};
  bool resumes = false;    ///< continues an interrupted turn from its saved part; no `messages`
  uint64_t if_version = 0; ///< conversation_changed if the chat's is another one; 0: any
  uint32_t concurrent_turns = 0; ///< most turns of the owner at once; 0: any number

  static constexpr auto fields(auto...) {
    using self = turn_request;
    return std::make_tuple(field("session_id", &self::session_id), field("turn_id", &self::turn_id),
                           field("message_id", &self::message_id),
                           field("replaces_history", &self::replaces_history),
                           field("messages", &self::messages), field("options", &self::options),
                           field("approvals", &self::approvals), field("prompt", &self::prompt),
                           field("ephemeral", &self::ephemeral), field("cut_at", &self::cut_at),
                           field("resumes", &self::resumes), field("if_version", &self::if_version),
                           field("concurrent_turns", &self::concurrent_turns));
  }
};

} // namespace troupe
