// Conversations as they are stored; they outlive the session and the process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// A conversation in a list. Times are milliseconds since 1970, UTC.
struct conversation_info {
  std::string id; ///< public_id
  std::string title;
  int64_t created_ms = 0;
  int64_t updated_ms = 0;
  uint64_t messages = 0;
  uint64_t version = 0; ///< grows with every change; the ETag. 0: there is no such conversation

  static constexpr auto fields(auto...) {
    using self = conversation_info;
    return std::make_tuple(
        field("id", &self::id), field("title", &self::title), field("createdAt", &self::created_ms),
        field("updatedAt", &self::updated_ms), field("messageCount", &self::messages),
        field("version", &self::version));
  }
};

/// The settings of one chat that override the configuration; a turn's own options override both.
struct chat_overrides {
  std::string model;                    ///< a key of `models`; empty: the default one
  bool limits_servers = false;          ///< whether `mcp_servers` chooses; else all enabled ones
  std::vector<std::string> mcp_servers; ///< the servers whose tools its turns see

  static constexpr auto fields(auto...) {
    using self = chat_overrides;
    return std::make_tuple(field("model", &self::model),
                           field("limitsServers", &self::limits_servers),
                           field("mcpServers", &self::mcp_servers));
  }
};

/// The state of a turn as the store knows it. A turn that is `running` when a store is opened was
/// cut off by the end of its process, and becomes `interrupted`.
enum class turn_state : uint8_t { running, ended, aborted, failed, interrupted };

std::string to_string(turn_state where);

/// One turn of a conversation.
struct turn_record {
  std::string turn_id;
  std::string message_id; ///< of the assistant's message
  turn_state state = turn_state::running;
  failure error; ///< of a turn that failed or was interrupted
  std::string model;
  bool resumable = false; ///< its events are kept
  int64_t started_ms = 0;
  int64_t ended_ms = 0; ///< 0 while it runs
  usage used;

  static constexpr auto fields(auto...) {
    using self = turn_record;
    return std::make_tuple(field("turnId", &self::turn_id), field("messageId", &self::message_id),
                           field("state", &self::state), field("error", &self::error),
                           field("model", &self::model), field("resumable", &self::resumable),
                           field("startedAt", &self::started_ms), field("endedAt", &self::ended_ms),
                           field("usage", &self::used));
  }
};

/// A message and the time it was stored. Messages with the same `chat_message::id` are one message
/// to the client: an answer with its calls and their results.
struct stored_message {
  chat_message message;
  int64_t created_ms = 0;

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("message", &stored_message::message),
                           field("createdAt", &stored_message::created_ms));
  }
};

/// A whole conversation, as it is exported and imported.
struct conversation {
  conversation_info info;
  chat_overrides overrides;
  std::vector<stored_message> messages;
  std::vector<turn_record> turns; ///< oldest first

  static constexpr auto fields(auto...) {
    using self = conversation;
    return std::make_tuple(field("info", &self::info), field("overrides", &self::overrides),
                           field("messages", &self::messages), field("turns", &self::turns));
  }
};

} // namespace troupe
