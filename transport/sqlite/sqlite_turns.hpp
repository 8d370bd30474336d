// The rows of turns, and the events of those that can be resumed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/store/conversation.hpp"
#include "transport/sqlite/sqlite_connection.hpp"

namespace troupe {

/// What the row of a turn has beside the record.
struct turn_place {
  uint64_t number = 0;  ///< orders the turns of a conversation
  bool counted = false; ///< it is in the usage table
};

/// Adds a turn, or writes what it is now.
/// @param at.number counts when the turn is new, which it also is when one of its id is there that
/// started at another time
failure write_turn(sqlite_connection& db, int64_t conversation, const turn_place& at,
                   const turn_record& turn);

/// Writes what a turn is now whose row is there.
failure update_turn(sqlite_connection& db, int64_t conversation, bool counted,
                    const turn_record& turn);

/// Drops the events that nobody can ask for any more: those of earlier turns, and those of this one
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

/// Copies the turns that are over, and whose message is among those of `to`.
failure copy_turns(sqlite_connection& db, int64_t from, int64_t to);

/// Returns in `out` whether a turn is in the usage table.
failure read_counted(sqlite_connection& db, int64_t conversation, const turn_record& turn,
                     bool& out);

/// Turns running turns into interrupted ones, a new version of each conversation, and returns in
/// `out` how many there were.
failure interrupt_turns(sqlite_connection& db, int64_t now_ms, uint64_t& out);

} // namespace troupe
