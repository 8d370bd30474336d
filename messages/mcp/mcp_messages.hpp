// Messages of clients to the MCP hub, except the tool calls of turns (tool_messages.hpp).
#pragma once

#include <cstdint>
#include <string>

#include "messages/errors.hpp"
#include "messages/fields.hpp"
#include "messages/mcp/mcp_config.hpp"
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

/// Sends a server any request but tools/call, such as prompts/get. Holds a lease like a tool call.
struct mcp_ask {
  std::string server;
  std::string method;     ///< a row of mcp::find_method, but not tools/call
  raw_json params;        ///< an object; empty = none
  bool from_node = false; ///< see server_call
  std::string id = {};    ///< names it in a cancel_call of its sender; its answer is then an error
  static constexpr auto fields(auto...) {
    using self = mcp_ask;
    return std::make_tuple(field("server", &self::server), field("method", &self::method),
                           field("params", &self::params), field("foreign", &self::from_node),
                           field("id", &self::id));
  }
};

/// Answers mcp_ask.
struct mcp_answer {
  failure error;
  raw_json result; ///< as the server sent it; empty on error
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("error", &mcp_answer::error),
                           field("result", &mcp_answer::result));
  }
};

/// Adds a server, or changes the one of that name; running calls of a changed one end with
/// server_lost.
struct put_server {
  mcp_server_config config;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("config", &put_server::config));
  }
};

/// Other changes of a server.
enum class server_verb : uint8_t { enable, disable, remove, retry };

/// Enables, disables, removes or retries a server. Answered with a failure.
struct change_server {
  std::string server;
  server_verb verb = server_verb::retry;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("server", &change_server::server),
                           field("verb", &change_server::verb));
  }
};

/// The sender wants every mcp_event from now on, until it ends.
struct watch_mcp {
  bool answers = false;    ///< the sender answers requests of servers when no session does
  bool from_now_on = true; ///< false: the sender also gets the present state of each server
  std::string owner = {};  ///< the owner whose chats' requests it can answer
  bool admin = false;      ///< it can also answer requests that belong to no chat
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("answers", &watch_mcp::answers),
                           field("from_now_on", &watch_mcp::from_now_on),
                           field("owner", &watch_mcp::owner), field("admin", &watch_mcp::admin));
  }
};

/// A change among servers and resources. `kind` is also the name of the server-sent event.
/// - "server": a server's health or offer; data is the server as GET /v1/mcp/servers shows it
/// - "serverRemoved": data {"name"}
/// - "toolsChanged", "resourcesChanged", "promptsChanged": data {"server"}
/// - "resourceUpdated": data {"server","uri"}
/// - "log": data {"server","level","logger","data"}
/// - "elicitationComplete": data {"server","elicitationId"}
/// - "clientRequest": data is a client_ask
/// - "clientRequestOver": data {"requestId"}
/// - "attachment", "attachmentRemoved": data {"sessionId", ...}
/// - "lagged": data {"dropped"}: so many events were dropped because the watcher was too slow
struct mcp_event {
  std::string kind;
  std::string server;
  raw_json data;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("kind", &mcp_event::kind), field("server", &mcp_event::server),
                           field("data", &mcp_event::data));
  }
};

} // namespace troupe
