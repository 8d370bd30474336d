// What sessions, the MCP hub and the store of conversations say to each other. Session ids are
// scoped (session_id.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/chat/turn_report.hpp"
#include "messages/fields.hpp"
#include "messages/store/conversation.hpp"

namespace troupe {

/// A session has something kept: messages and where its turn is. Answered by save_answer when it is
/// as durable as the store was told to make it.
struct save_chat {
  std::string session_id;
  uint64_t number = 0;     ///< the session's; repeated in the answer
  uint64_t if_version = 0; ///< refuse unless this is the conversation's; 0: whatever it is
  bool creates = false; ///< refuse a conversation that is there and whose last turn is not this one
  uint64_t keep = 0;    ///< so many of the stored messages stay, the rest is cut off
  std::vector<chat_message> more; ///< are appended
  turn_record turn;               ///< its row as it is now; turn_id is empty: no change
  std::vector<event_batch>
      events;         ///< what is new of a resumable turn; a turn that ended needs none
  turn_report report; ///< of a turn that is over, for the usage table; turn_id is empty: not over
  static constexpr auto fields() {
    using self = save_chat;
    return std::make_tuple(field("session_id", &self::session_id), field("number", &self::number),
                           field("if_version", &self::if_version), field("creates", &self::creates),
                           field("keep", &self::keep), field("more", &self::more),
                           field("turn", &self::turn), field("events", &self::events),
                           field("report", &self::report));
  }
};

/// A session asks for its chat; answered by chat_record. With its first turn it brings what is to
/// be kept of that if the chat is new, so that it waits for the store once and not twice.
struct load_chat {
  std::string session_id;
  save_chat first = {}; ///< saved if there is no such chat; session_id is empty: nothing is
  uint64_t number = 0;  ///< the session's; repeated in the answer
  static constexpr auto fields() {
    return std::make_tuple(field("session_id", &load_chat::session_id),
                           field("first", &load_chat::first), field("number", &load_chat::number));
  }
};

/// What the store has of a chat.
struct chat_record {
  std::string session_id;
  failure error;
  uint64_t version = 0; ///< 0: it is new
  std::vector<chat_message> history;
  chat_overrides overrides;
  turn_record last_turn;           ///< turn_id is empty: there was none
  std::vector<event_batch> events; ///< of the last turn, if it was resumable and did not end
  std::string kept_turn; ///< load_chat::first was of that turn, and is saved; the chat was new
  uint64_t number = 0;   ///< of the load_chat
  static constexpr auto fields() {
    using self = chat_record;
    return std::make_tuple(field("session_id", &self::session_id), field("error", &self::error),
                           field("version", &self::version), field("history", &self::history),
                           field("overrides", &self::overrides),
                           field("last_turn", &self::last_turn), field("events", &self::events),
                           field("kept_turn", &self::kept_turn), field("number", &self::number));
  }
};

struct save_answer {
  std::string session_id;
  uint64_t number = 0;
  uint64_t version = 0; ///< of the conversation now
  failure error;
  static constexpr auto fields() {
    using self = save_answer;
    return std::make_tuple(field("session_id", &self::session_id), field("number", &self::number),
                           field("version", &self::version), field("error", &self::error));
  }
};

} // namespace troupe
