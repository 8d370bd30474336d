// The rows of turns, and the events of resumable turns.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/store/conversation.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"
#include "transport/sqlite/rows/sqlite_conversations.hpp"

namespace troupe {

/// The columns of a turn that turn_record lacks.
struct turn_place {
  uint64_t number = 0;  ///< orders the turns of a conversation
  bool counted = false; ///< it is in the usage table
};

/// Adds a turn, or updates it.
/// @param at.number used for a new turn only; a turn is also new if the stored one of its id
/// started at another time
failure write_turn(sqlite_connection& db, int64_t conversation, const turn_place& at,
                   const turn_record& turn);

/// Updates the row of a turn, which must exist.
failure update_turn(sqlite_connection& db, int64_t conversation, bool counted,
                    const turn_record& turn);

/// Drops events that can no longer be asked for: events of earlier turns, and events of this turn
/// when it is over or not resumable.
failure drop_events(sqlite_connection& db, int64_t conversation, const turn_record& turn);

/// Keeps new events of turns.
failure append_events(sqlite_connection& db, int64_t conversation,
                      const std::vector<event_batch>& events);

/// Appends all turns of a conversation, oldest first.
failure read_turns(sqlite_connection& db, int64_t conversation, std::vector<turn_record>& out);

/// Reads the newest turn, and its events if it was resumable and did not end.
failure read_last_turn(sqlite_connection& db, int64_t conversation, turn_record& turn,
                       std::vector<event_batch>& events);

/// Copies a turn, and adds its bytes (kept_bytes.hpp) to those in `to`; one that runs is
/// interrupted in the copy.
failure copy_turn(sqlite_connection& db, int64_t from, conversation_row& to,
                  std::string_view turn_id);

/// The known facts about a turn's row.
struct turn_traces {
  bool& exists;  ///< it has a row
  bool& counted; ///< it is in the usage table
};

/// Looks whether a turn has a row.
failure find_turn(sqlite_connection& db, int64_t conversation, const turn_record& turn,
                  const turn_traces& out);

/// Makes running turns interrupted, with a new version of each conversation. Returns their number
/// in `out`.
failure interrupt_turns(sqlite_connection& db, int64_t now_ms, uint64_t& out);

} // namespace troupe
