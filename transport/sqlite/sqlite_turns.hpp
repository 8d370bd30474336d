// The rows of turns, and the events of those that can be resumed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/conversation.hpp"
#include "messages/events.hpp"
#include "transport/sqlite/sqlite_connection.hpp"

namespace troupe {

/// Adds a turn, or writes what it is now; drops the events that nobody can ask for any more.
/// @param number orders the turns of a conversation; counts when the turn is new, which it also is
/// when one of its id is there that started at another time
failure write_turn(sqlite_connection& db, int64_t conversation, uint64_t number,
                   const turn_record& turn);

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

/// Marks a turn as counted in the usage table; returns in `fresh` whether it was not yet.
failure mark_counted(sqlite_connection& db, int64_t conversation, const std::string& turn_id,
                     bool& fresh);

/// Turns running turns into interrupted ones, a new version of each conversation, and returns in
/// `out` how many there were.
failure interrupt_turns(sqlite_connection& db, int64_t now_ms, uint64_t& out);

} // namespace troupe
