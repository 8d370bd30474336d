// The table of what turns used, by owner, day and model.
#pragma once

#include "messages/store/store_copying.hpp"
#include "messages/store/usage_messages.hpp"
#include "transport/sqlite/database/sqlite_connection.hpp"
#include "transport/store/usage_sums.hpp"

namespace troupe {

/// Adds sums to the table, and forgets them; within a transaction.
failure write_usage(sqlite_connection& db, usage_sums& sums);

/// Sets rows of the table; within a transaction.
failure set_usage(sqlite_connection& db, const owner_usage& what);

/// Returns the usage of an owner.
usage_table read_usage(sqlite_connection& db, const usage_query& ask);

} // namespace troupe
