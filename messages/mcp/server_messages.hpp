// Messages between the MCP hub and its connections.
#pragma once

#include <cstdint>
#include <string>

#include "messages/errors.hpp"
#include "messages/fields.hpp"
#include "messages/raw_json.hpp"

namespace troupe {

/// The hub asks a connection to send a request.
struct server_call {
  uint64_t call = 0;    ///< the hub's number
  std::string method;   ///< a row of mcp::find_method
  std::string tool;     ///< tools/call: the tool's name on the server
  std::string params;   ///< tools/call: the arguments; else the params; JSON text of an object
  bool as_task = false; ///< tools/call: run it as a task also if the tool makes that optional
  std::string traceparent = {}; ///< tools/call: goes out as _meta.traceparent; empty: nothing
  bool from_node = false; ///< for another node, which looks elsewhere when the connection is lost
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("call", &server_call::call), field("method", &server_call::method),
                           field("tool", &server_call::tool), field("params", &server_call::params),
                           field("as_task", &server_call::as_task),
                           field("traceparent", &server_call::traceparent),
                           field("foreign", &server_call::from_node));
  }
};

/// The hub takes a call back.
struct server_cancel {
  uint64_t call = 0;
  std::string reason;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("call", &server_cancel::call),
                           field("reason", &server_cancel::reason));
  }
};

/// The connection's answer to a server_call; exactly one unless it was cancelled.
struct server_outcome {
  uint64_t call = 0;
  errc error = errc::none; ///< tool_failed: the tool said so itself; server_refused: a JSON-RPC
                           ///< error of the server
  std::string text;        ///< tools/call: what the model is told; else the error's text
  raw_json result;         ///< the result object; empty when there is none
  static constexpr auto fields(auto...) {
    return std::make_tuple(
        field("call", &server_outcome::call), field("error", &server_outcome::error),
        field("text", &server_outcome::text), field("result", &server_outcome::result));
  }
};

/// Progress of a server_call.
struct server_progress {
  uint64_t call = 0;
  double progress = 0;
  double total = 0;
  std::string message;
  static constexpr auto fields(auto...) {
    return std::make_tuple(
        field("call", &server_progress::call), field("progress", &server_progress::progress),
        field("total", &server_progress::total), field("message", &server_progress::message));
  }
};

/// A server asks its client for something (sampling/createMessage, elicitation/create). The
/// connection itself answers ping, roots/list, denied requests and malformed ones.
struct server_ask {
  std::string server;
  uint64_t ask = 0; ///< the connection's number
  std::string method;
  raw_json params;
  uint64_t call = 0; ///< the server_call it belongs to; 0 if that is unknown
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("server", &server_ask::server), field("ask", &server_ask::ask),
                           field("method", &server_ask::method),
                           field("params", &server_ask::params), field("call", &server_ask::call));
  }
};

/// The server does not wait for the answer any more.
struct server_ask_over {
  std::string server;
  uint64_t ask = 0;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("server", &server_ask_over::server),
                           field("ask", &server_ask_over::ask));
  }
};

/// A line of the hub's for the diary of the connection.
struct server_note {
  std::string text;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("text", &server_note::text));
  }
};

/// The hub's answer to a server_ask: a result, or an error when `error_code` is not 0.
struct server_reply {
  uint64_t ask = 0;
  raw_json result;
  int64_t error_code = 0; ///< of JSON-RPC
  std::string error_message;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("ask", &server_reply::ask), field("result", &server_reply::result),
                           field("error_code", &server_reply::error_code),
                           field("error_message", &server_reply::error_message));
  }
};

} // namespace troupe
