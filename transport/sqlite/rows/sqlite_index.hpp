// The full-text index of messages: when messages are added, and when they are removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "transport/sqlite/database/sqlite_connection.hpp"

namespace troupe {

/// A bounded piece of indexing.
struct index_piece {
  int64_t owner = 0;     ///< number of the owner of the messages; 0: all owners
  size_t messages = 512; ///< most messages to look at; further bound: 128 KiB
};

/// Adds messages that are not indexed yet, in a transaction of its own. Indexes the texts of users
/// and models, the first 65,536 characters of each message.
/// @param more set to whether there may be more
failure index_texts(sqlite_connection& db, const index_piece& piece, bool& more);

/// Adds up to 256 unindexed messages of one owner; not within a transaction.
failure index_owner(sqlite_connection& db, std::string_view owner);

/// Takes the messages with keys from `first` to before `end` out of the index. The messages must
/// still be there.
failure forget_texts(sqlite_connection& db, int64_t first, int64_t end);

/// Empties the index; all messages wait to be indexed then.
failure forget_all_texts(sqlite_connection& db);

} // namespace troupe
