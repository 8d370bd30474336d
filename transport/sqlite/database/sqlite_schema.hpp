// The tables, step by step: how an older database gets the newest schema.
#pragma once

#include <cstdint>

#include "messages/errors.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"

namespace troupe {

/// The version that this program reads and writes; stands in the database as its user_version.
int newest_schema();

/// Reads the database's version; 0: it is empty. Fails with store_damaged for a file that is none,
/// and with store_failed for a database that another program made.
failure read_schema(sqlite_connection& db, int& version);

/// Brings the database from the version it has to `version`, each step in a transaction of its own.
/// Fails with store_newer if it is above newest_schema(), and with store_failed where the file
/// system cannot have a log of writes (WAL).
/// @param version below newest_schema() only for tests and fixtures
failure migrate(sqlite_connection& db, int version = newest_schema());

// -- how messages are found -----------------------------------------------------------------------

/// The bits of messages.id below the conversation's number: a conversation's messages are
/// neighbours, in their order.
inline constexpr int place_bits = 20;
inline constexpr int64_t most_messages = int64_t{1} << place_bits;

/// Returns the id of a conversation's message. @param place from 0
constexpr int64_t message_key(int64_t conversation, int64_t place) {
  return conversation << place_bits | place;
}

/// The bits of search_rows.id below the owner's number: an owner's rows are neighbours, and a walk
/// backwards is newest first. The bits hold milliseconds since 2020, and the place among rows of
/// the same millisecond.
inline constexpr int search_bits = 45;
inline constexpr int same_time_bits = 4;
inline constexpr int64_t search_places = int64_t{1} << search_bits;
inline constexpr int64_t most_owners = int64_t{1} << (63 - search_bits);

/// Returns the first id behind all ids of the owner of `id`.
constexpr int64_t owner_end(int64_t id) {
  return id < (most_owners - 1) << search_bits ? ((id >> search_bits) + 1) << search_bits
                                               : INT64_MAX;
}

/// Returns the id of the first message of that time. @param time_ms since 1970
constexpr int64_t search_key(int64_t owner, int64_t time_ms) {
  constexpr int64_t year_2020_ms = 1'577'836'800'000;
  constexpr int64_t last_ms = (search_places >> same_time_bits) - 1;
  const auto time = time_ms < year_2020_ms ? 0 : time_ms - year_2020_ms;
  return owner << search_bits | (time > last_ms ? last_ms : time) << same_time_bits;
}

} // namespace troupe
