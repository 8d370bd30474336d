// What MCP servers ask clients, and the answers.
#pragma once

#include <cstdint>
#include <string>

#include "messages/fields.hpp"
#include "messages/raw_json.hpp"

namespace troupe {

/// A server's request to the client, sent to every client that can answer it.
struct client_ask {
  std::string request_id;
  std::string server;
  std::string method;     ///< "sampling/createMessage", "elicitation/create"
  std::string session_id; ///< the chat whose call it belongs to; empty if unknown
  raw_json params;        ///< as the server sent them
  uint64_t timeout_ms = 0;
  static constexpr auto fields(auto...) {
    return std::make_tuple(
        field("requestId", &client_ask::request_id), field("server", &client_ask::server),
        field("method", &client_ask::method), field("sessionId", &client_ask::session_id),
        field("params", &client_ask::params), field("timeoutMs", &client_ask::timeout_ms));
  }
};

/// The answer of the client. For sampling, "accept" without content lets the default model answer.
struct client_answer {
  std::string request_id;
  std::string action; ///< "accept", "decline" or "cancel"
  raw_json content;   ///< elicitation: the form's values; sampling: a CreateMessageResult
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("requestId", &client_answer::request_id),
                           field("action", &client_answer::action),
                           field("content", &client_answer::content));
  }
};

} // namespace troupe
