// Changes of conversations. Session ids are scoped (session_id.hpp); an unknown one is answered
// with conversation_unknown.
#pragma once

#include <cstdint>
#include <string>

#include "messages/fields.hpp"
#include "messages/store/conversation.hpp"
#include "messages/store/store_copying.hpp"

namespace troupe {

/// The kinds of changes.
enum class conversation_verb : uint8_t {
  rename,   ///< to `title`
  remove,   ///< with all its data
  override, ///< its overrides become `overrides`
  branch,   ///< copies it up to and with the message `message_id` to `to`; empty: all messages
  import    ///< creates it from `content`; it must not exist yet
};

/// Changes a conversation. Answered by info_answer: its new state, or after `branch` the copy's.
struct change_conversation {
  std::string session_id;
  conversation_verb verb = conversation_verb::rename;
  uint64_t if_version = 0; ///< conversation_changed unless it has this version; 0: any version
  std::string title;       ///< rename; branch: the copy's, empty: as the original's
  chat_overrides overrides;
  std::string message_id;
  std::string to; ///< scoped id of the new conversation; conversation_exists if there is one
  conversation content;
  /// Import: of another store, by who copies that; remove: the chat's place is for such a one, so
  /// its files stay.
  taken_over from = {};
  static constexpr auto fields(auto...) {
    using self = change_conversation;
    return std::make_tuple(field("session_id", &self::session_id), field("verb", &self::verb),
                           field("if_version", &self::if_version), field("title", &self::title),
                           field("overrides", &self::overrides),
                           field("message_id", &self::message_id), field("to", &self::to),
                           field("content", &self::content), field("from", &self::from));
  }
};

/// Makes a conversation of a file (conversation_json.hpp). Answered by info_answer.
struct import_file {
  std::string owner;
  std::string id; ///< of the client; empty: the one that stands in the file
  std::string body;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("owner", &import_file::owner), field("id", &import_file::id),
                           field("body", &import_file::body));
  }
};

/// Answers change_conversation.
struct info_answer {
  failure error;
  conversation_info info;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("error", &info_answer::error), field("info", &info_answer::info));
  }
};

/// Ends the session of a chat, so that the next turn loads the chat from the store again. Answered
/// with no error when the session is gone; with session_busy when a turn runs and may not be
/// aborted.
struct end_session {
  std::string session_id;
  bool aborts = false; ///< a running turn is aborted first, with the reason "deleted"
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &end_session::session_id),
                           field("aborts", &end_session::aborts));
  }
};

} // namespace troupe
