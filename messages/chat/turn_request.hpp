// A chat turn as a client asks for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/tool_definition.hpp"
#include "messages/fields.hpp"
#include "messages/raw_json.hpp"

namespace troupe {

/// The policy for a new turn while the chat still answers.
enum class busy_policy : uint8_t {
  refuse, ///< session_busy
  wait,   ///< it begins after the running turn; at most chat_limits::max_waiting_turns wait
  abort,  ///< the running turn is aborted first, with the reason "replaced"
};

/// How one turn is run. Empty and negative members are taken from the configuration.
struct turn_options {
  std::string model;                    ///< a key of `models`
  int32_t max_tool_roundtrips = -1;     ///< 0: the client runs the tools; n: at most n rounds here
  bool limits_servers = false;          ///< whether `mcp_servers` chooses; else all enabled ones
  std::vector<std::string> mcp_servers; ///< the servers whose tools this turn sees
  bool client_requests = false;         ///< the client answers requests of MCP servers
  int32_t streaming = -1;               ///< of the model's answer: 0, 1; -1: as its configuration
  std::vector<tool_definition> tools = {}; ///< the client's, run by it; `server` is empty
  std::string parameters = {}; ///< JSON object that the model gets as it is (temperature, ...)
  bool resumable = false;      ///< the turn outlives its connection
  busy_policy when_busy = busy_policy::refuse;
  bool approve_all = false;              ///< every call that runs here needs an approval
  bool approve_unless_read_only = false; ///< so do all but those of tools that only read

  /// A call that needs an approval ends the turn, and the approval comes with the next turn, as AI
  /// SDK clients need it. Otherwise the turn waits for answer_approvals (engine::answer_approvals).
  bool approval_ends_turn = false;
  std::string traceparent = {};   ///< W3C trace context, passed to the model and to MCP servers
  std::string request_id = {};    ///< of the HTTP request, for the log
  bool sets_system = false;       ///< `system_prompt` takes the place of the chat's system messages
  std::string system_prompt = {}; ///< stays in the chat; "": the chat has none of its own

  static constexpr auto fields(auto...) {
    using self = turn_options;
    return std::make_tuple(
        field("model", &self::model), field("max_tool_roundtrips", &self::max_tool_roundtrips),
        field("limits_servers", &self::limits_servers), field("mcp_servers", &self::mcp_servers),
        field("client_requests", &self::client_requests), field("streaming", &self::streaming),
        field("tools", &self::tools), field("parameters", &self::parameters),
        field("resumable", &self::resumable), field("when_busy", &self::when_busy),
        field("approve_all", &self::approve_all),
        field("approve_unless_read_only", &self::approve_unless_read_only),
        field("approval_ends_turn", &self::approval_ends_turn),
        field("traceparent", &self::traceparent), field("request_id", &self::request_id),
        field("sets_system", &self::sets_system), field("system_prompt", &self::system_prompt));
  }
};

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
                          ///< takes that of the message it continues with
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
