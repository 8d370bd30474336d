// The options of one turn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/tool_definition.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// What happens to a new turn while the chat still answers.
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
  bool approve_all = false; ///< every call that runs here needs an approval

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
        field("approval_ends_turn", &self::approval_ends_turn),
        field("traceparent", &self::traceparent), field("request_id", &self::request_id),
        field("sets_system", &self::sets_system), field("system_prompt", &self::system_prompt));
  }
};

} // namespace troupe
