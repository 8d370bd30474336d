// A chat turn as a client asks for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/fields.hpp"
#include "messages/types.hpp"

namespace troupe {

/// How one turn is run; what is empty or negative comes from the configuration.
struct turn_options {
  std::string model;                    ///< a key of `models`
  int32_t max_tool_roundtrips = -1;     ///< 0: the client runs the tools; n: at most n rounds here
  bool limits_servers = false;          ///< whether `mcp_servers` chooses; else all enabled ones
  std::vector<std::string> mcp_servers; ///< whose tools this turn sees
  bool client_requests = false;         ///< the client answers what MCP servers ask of it

  static constexpr auto fields() {
    return std::make_tuple(field("model", &turn_options::model),
                           field("max_tool_roundtrips", &turn_options::max_tool_roundtrips),
                           field("limits_servers", &turn_options::limits_servers),
                           field("mcp_servers", &turn_options::mcp_servers),
                           field("client_requests", &turn_options::client_requests));
  }
};

/// A chat turn as a client asks for it.
struct turn_request {
  std::string session_id;        ///< the chat's id; 1 to 256 bytes
  std::string turn_id;           ///< empty: the session makes one
  std::string message_id;        ///< id of the assistant's message; empty: the session makes one
  bool replaces_history = false; ///< `messages` is the whole history, else it is appended
  std::vector<chat_message> messages; ///< ends with what the model is to answer
  turn_options options;

  static constexpr auto fields() {
    return std::make_tuple(
        field("session_id", &turn_request::session_id), field("turn_id", &turn_request::turn_id),
        field("message_id", &turn_request::message_id),
        field("replaces_history", &turn_request::replaces_history),
        field("messages", &turn_request::messages), field("options", &turn_request::options));
  }
};

} // namespace troupe
