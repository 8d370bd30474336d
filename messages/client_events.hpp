// Events that ask the client for something.
#pragma once

#include <cstdint>
#include <string>

#include "messages/fields.hpp"
#include "messages/types.hpp"

namespace troupe {

/// A server that runs a call of this turn asks the client something; only sent to clients that said
/// they answer (turn_options::client_requests). Answered by POST /v1/mcp/requests/{requestId}.
struct mcp_client_request {
  std::string request_id;
  std::string server;
  std::string method; ///< "sampling/createMessage", "elicitation/create"
  raw_json params;    ///< as the server sent them
  uint64_t timeout_ms = 0;
  static constexpr auto fields() {
    using self = mcp_client_request;
    return std::make_tuple(field("requestId", &self::request_id), field("server", &self::server),
                           field("method", &self::method), field("params", &self::params),
                           field("timeoutMs", &self::timeout_ms));
  }
};

} // namespace troupe
