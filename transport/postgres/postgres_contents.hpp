// Reading the messages, turns and events of a conversation.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "messages/store/conversation.hpp"
#include "messages/store/store_messages.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"
#include "transport/postgres/postgres_chats.hpp"

namespace troupe {

/// Reads messages from one place to before another. @param out they are appended
failure read_messages_between(postgres_connection& db, int64_t conversation,
                              std::pair<uint64_t, uint64_t> places,
                              std::vector<stored_message>& out);

/// Appends all turns of a conversation, oldest first.
failure read_all_turns(postgres_connection& db, int64_t conversation,
                       std::vector<turn_record>& out);

/// A chat's row, and its last turn with what the engine keeps of it for itself.
struct found_chat {
  postgres_chat row; ///< its key is 0: there is no such chat
  turn_record turn;  ///< turn_id is empty: there was none
  bool counted = false;
  chat_fence fence = {}; ///< of the turn
  failure fault;         ///< the turn cannot be read: store_damaged
};

/// Finds chats, all with one statement. @param ids scoped @param out in the order of the ids
failure find_chats(postgres_connection& db, const std::vector<std::string_view>& ids,
                   std::vector<found_chat>& out);

/// Reads the events of a resumable turn that did not end; of any other turn there are none.
failure read_turn_events(postgres_connection& db, int64_t conversation, const turn_record& turn,
                         std::vector<event_batch>& out);

} // namespace troupe
