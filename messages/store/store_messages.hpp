// Messages between sessions and the store of conversations. Session ids are scoped
// (session_id.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/chat/turn_report.hpp"
#include "messages/fields.hpp"
#include "messages/store/chat_claim.hpp"
#include "messages/store/conversation.hpp"

namespace troupe {

/// A session saves messages and the state of its turn. Answered by save_answer when the write is as
/// durable as the store's `durability` asks.
struct save_chat {
  std::string session_id;
  uint64_t number = 0;     ///< the session's; repeated in the answer
  uint64_t if_version = 0; ///< refuse unless the conversation has this version; 0: any version
  bool creates = false;    ///< refuse a conversation that exists and whose last turn is another one
  bool begins = false;     ///< of a turn; refused with quota_used_up if the owner may keep no more
  uint64_t keep = 0;       ///< number of stored messages to keep; later ones are cut off
  std::vector<chat_message> more; ///< are appended
  turn_record turn;               ///< its row as it is now; turn_id is empty: no change
  std::vector<event_batch>
      events;            ///< new events of a resumable turn; none of a turn that has ended
  turn_report report;    ///< of a turn that is over, for the usage table; turn_id is empty: none
  chat_claim claim = {}; ///< of a store that nodes share
  static constexpr auto fields(auto...) {
    using self = save_chat;
    return std::make_tuple(field("session_id", &self::session_id), field("number", &self::number),
                           field("if_version", &self::if_version), field("creates", &self::creates),
                           field("begins", &self::begins), field("keep", &self::keep),
                           field("more", &self::more), field("turn", &self::turn),
                           field("events", &self::events), field("report", &self::report),
                           field("claim", &self::claim));
  }
};

/// A session asks for its chat; answered by chat_record. The first turn's save comes along and is
/// used if the chat is new: so the session waits for the store once, not twice.
struct load_chat {
  std::string session_id;
  save_chat first = {}; ///< saved if there is no such chat; session_id is empty: no save
  uint64_t number = 0;  ///< the session's; repeated in the answer
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &load_chat::session_id),
                           field("first", &load_chat::first), field("number", &load_chat::number));
  }
};

/// A chat as the store has it; answers load_chat.
struct chat_record {
  std::string session_id;
  failure error;
  uint64_t version = 0; ///< 0: it is new
  std::vector<chat_message> history;
  chat_overrides overrides;
  turn_record last_turn;           ///< turn_id is empty: there was none
  std::vector<event_batch> events; ///< of the last turn, if it was resumable and did not end
  std::string kept_turn;           ///< turn of load_chat::first if that is saved: the chat was new
  uint64_t number = 0;             ///< of the load_chat
  claim_state claim = claim_state::none; ///< held_elsewhere: its last turn runs on another node
  chat_fence fence = {};
  static constexpr auto fields(auto...) {
    using self = chat_record;
    return std::make_tuple(field("session_id", &self::session_id), field("error", &self::error),
                           field("version", &self::version), field("history", &self::history),
                           field("overrides", &self::overrides),
                           field("last_turn", &self::last_turn), field("events", &self::events),
                           field("kept_turn", &self::kept_turn), field("number", &self::number),
                           field("claim", &self::claim), field("fence", &self::fence));
  }
};

/// Answers save_chat.
struct save_answer {
  std::string session_id;
  uint64_t number = 0;
  uint64_t version = 0; ///< of the conversation now
  failure error;        ///< conversation_changed, session_busy, turn_lost: `claim` may say why
  claim_state claim = claim_state::none;
  chat_fence fence = {}; ///< the chat's now
  static constexpr auto fields(auto...) {
    using self = save_answer;
    return std::make_tuple(field("session_id", &self::session_id), field("number", &self::number),
                           field("version", &self::version), field("error", &self::error),
                           field("claim", &self::claim), field("fence", &self::fence));
  }
};

} // namespace troupe
