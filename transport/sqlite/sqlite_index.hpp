// The full-text index of messages: what is added to it when, and what leaves it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "transport/sqlite/sqlite_connection.hpp"

namespace troupe {

/// How much is indexed in one go.
struct index_piece {
  int64_t owner = 0;     ///< number of the owner whose messages; 0: of all owners
  size_t messages = 512; ///< at most so many are looked at, or 512 Ki characters
};

/// Adds messages that are not in the index yet, in a transaction of its own. What users and models
/// wrote is indexed, of each message the first 65,536 characters.
/// @param more set to whether there may be more
failure index_texts(sqlite_connection& db, const index_piece& piece, bool& more);

/// Adds up to 256 messages of one owner, if some wait; not within a transaction.
failure index_owner(sqlite_connection& db, std::string_view owner);

/// Takes the messages with keys from `first` to before `end` out of the index. The messages must
/// still be there.
failure forget_texts(sqlite_connection& db, int64_t first, int64_t end);

/// Empties the index; all messages wait to be indexed then.
failure forget_all_texts(sqlite_connection& db);

} // namespace troupe
