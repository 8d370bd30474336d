// Reads the rows of a damaged database that are still readable.
#pragma once

#include <cstdint>
#include <string>

#include "messages/errors.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"

namespace troupe {

/// Counts of the rows that were saved from a damaged database.
struct salvage_report {
  uint64_t conversations = 0;
  uint64_t messages = 0;
  uint64_t keys = 0;
  uint64_t gaps = 0; ///< places that could not be read

  /// Returns it as a clause: "12 conversations with 340 messages and 2 keys were saved from it".
  std::string text() const;
};

/// Copies all rows that can be read into a new database, which must have the newest schema and no
/// rows. Goes around damaged pages: what stands before and behind them is copied. Conversations
/// that were hidden are left out; the messages of each close up. Blocks, for as long as reading
/// and writing everything takes.
/// @return a failure of the new database; what was copied before stays
failure salvage(const std::string& damaged, sqlite_connection& into, salvage_report& report);

} // namespace troupe
