// Events that ask the client for something.
#pragma once

#include <cstdint>
#include <string>

#include "messages/fields.hpp"
#include "messages/raw_json.hpp"

namespace troupe {

/// A server that runs a call of this turn asks the client something. Only sent to clients that set
/// turn_options::client_requests. Answered by POST /v1/mcp/requests/{requestId}.
struct mcp_client_request {
  std::string request_id;
  std::string server;
  std::string method; ///< "sampling/createMessage", "elicitation/create"
  raw_json params;    ///< as the server sent them
  uint64_t timeout_ms = 0;
  static constexpr auto fields(auto...) {
    using self = mcp_client_request;
    return std::make_tuple(field("requestId", &self::request_id), field("server", &self::server),
                           field("method", &self::method), field("params", &self::params),
                           field("timeoutMs", &self::timeout_ms));
  }
};

/// A call waits for the client's approval. Answered by answer_approvals while the turn waits, else
/// by turn_request::approvals of the next turn.
struct tool_approval_request {
  std::string approval_id; ///< random: cannot be guessed
  std::string tool_call_id;
  std::string tool_name;
  raw_json arguments;      ///< a JSON object
  uint64_t timeout_ms = 0; ///< after it the call counts as denied
  static constexpr auto fields(auto...) {
    using self = tool_approval_request;
    return std::make_tuple(
        field("approvalId", &self::approval_id), field("toolCallId", &self::tool_call_id),
        field("toolName", &self::tool_name), field("arguments", &self::arguments),
        field("timeoutMs", &self::timeout_ms));
  }
};

} // namespace troupe
