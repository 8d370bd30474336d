// The tools of a turn: how a session asks for them, and what the MCP hub answers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/tool_set.hpp"
#include "messages/fields.hpp"
#include "messages/frozen.hpp"

namespace troupe {

/// Asks a hub for the tools of a turn.
struct list_tools {
  bool limits_servers = false;           ///< whether `servers` chooses; else all enabled ones
  std::vector<std::string> servers = {}; ///< "SERVER", or one tool of it: "SERVER/TOOL"
  std::string session_id = {};           ///< empty: no chat
  std::string turn_id = {};              ///< repeated in the answer
  int64_t asked_us = 0;       ///< monotonic, microseconds; a wait counts from here, 0: from receipt
  uint32_t most = UINT32_MAX; ///< that the model takes; of more, those of the last servers go
  static constexpr auto fields(auto...) {
    return std::make_tuple(
        field("session_id", &list_tools::session_id), field("turn_id", &list_tools::turn_id),
        field("asked_us", &list_tools::asked_us),
        field("limits_servers", &list_tools::limits_servers),
        field("servers", &list_tools::servers), field("most", &list_tools::most));
  }
};

/// Answers list_tools.
struct tool_snapshot {
  frozen<tool_set> set;
  std::string unknown_server;   ///< one of list_tools::servers that is not configured; empty: none
  bool has_attachments = false; ///< of the chat, in the resource store
  std::string turn_id = {};     ///< of list_tools
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("turn_id", &tool_snapshot::turn_id),
                           field("set", &tool_snapshot::set),
                           field("unknown_server", &tool_snapshot::unknown_server),
                           field("has_attachments", &tool_snapshot::has_attachments));
  }
};

} // namespace troupe
